// `scheduled` and `cases`: tests, and cases of tests, that run only in `npm run test:all`.

import { inject, test, type TestContext } from 'vitest';

declare module 'vitest' {
  export interface TaskMeta {
    /** why a test runs on a schedule only, and what finds its faults in `npm test` */
    scheduled?: { readonly why: string; readonly foundBy: string };
  }
}

/** Whether every test runs with all of its cases (npm run test:all) instead of the cases of `npm test`. */
export const RUNS_ALL = inject('runsAll');

/**
 * A test that `npm test` leaves out and `npm run test:all` runs.
 *
 * @param why it does not run every time, as a string: `npm run test:all -- --list` prints it
 * @param foundBy what finds its faults in `npm test`, as a string
 * @param title as for `test`
 * @param body as for `test`
 */
export function scheduled(why: string, foundBy: string, title: string, body: (context: TestContext) => unknown): void {
  test(title, { skip: !RUNS_ALL, meta: { scheduled: { why, foundBy } } }, body);
}

/** The number of cases of a test: `few` in `npm test`, `all` in `npm run test:all`. */
export const cases = (few: number, all: number): number => (RUNS_ALL ? all : few);
