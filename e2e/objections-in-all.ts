import { objections } from './objections.ts';

/**
 * What axe objects to where every test runs (`npm run test:all`), and nothing in `npm test`, where axe.spec.ts examines
 * each kind of state once.
 */
export const objectionsInAll: typeof objections = async (page, scope) =>
  process.env.TEST_ALL === '1' ? objections(page, scope) : [];
