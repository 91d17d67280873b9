import { objections } from './objections.ts';

/**
 * Returns the objections of axe (an accessibility checker) to a page in `npm run test:all`, and none in `npm test`, where
 * axe.spec.ts checks each kind of state once.
 */
export const objectionsInAll: typeof objections = async (page, scope) =>
  process.env.TEST_ALL === '1' ? objections(page, scope) : [];
