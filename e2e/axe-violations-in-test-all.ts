import { axeViolations } from './axe-violations.ts';

/**
 * Returns the violations that axe (an accessibility checker) finds in a page, in `npm run test:all`; none in `npm test`, where
 * axe.spec.ts checks each kind of state once.
 */
export const axeViolationsInTestAll: typeof axeViolations = async (page, scope) =>
  process.env.TEST_ALL === '1' ? axeViolations(page, scope) : [];
