import { posix } from 'node:path';
import config from '../../vite.config.ts';
import { filesIn } from '../labs.mjs';

/** Patterns of the tests to run, as JSON: scripts/mutants.ts sets them. */
const patterns = JSON.parse(process.env.MUTANT_TESTS ?? '["**"]') as readonly string[];
const tests = filesIn(['src', 'labs', 'test', 'bench', 'fuzz', 'scripts'], /\.test\.tsx?$/).filter((file) =>
  patterns.some((pattern) => posix.matchesGlob(file, pattern)),
);
if (tests.length === 0) throw new Error(`${patterns.join(', ')}: found no such test, expected at least one`);

/**
 * Configuration of Vitest for mutants of TypeScript: the tests that match, of those that need no browser. Isolated, since a
 * module that stays loaded from the last run would lack the mutant.
 */
// oxlint-disable-next-line import/no-default-export -- the shape that Vitest expects
export default {
  ...config,
  test: {
    projects: config.test?.projects?.flatMap((project) => {
      if (typeof project !== 'object' || !('test' in project) || project.test?.name === 'gpu') return [];
      const include = tests.filter((file) =>
        project.test?.include?.some((pattern) => posix.matchesGlob(file, pattern)),
      );
      return include.length === 0 ? [] : [{ ...project, test: { ...project.test, include, isolate: true } }];
    }),
  },
};
