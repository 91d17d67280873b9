import config from '../../vite.config.ts';

/**
 * The tests that may find a mutant of TypeScript: all that need no browser. Isolated, since a module that is kept from the
 * last run would not have the mutant that it is to begin with.
 */
// oxlint-disable-next-line import/no-default-export -- the shape that Vitest expects
export default {
  ...config,
  test: {
    projects: config.test?.projects?.flatMap((one) =>
      typeof one === 'object' && 'test' in one && one.test?.name !== 'gpu'
        ? [{ ...one, test: { ...one.test, isolate: true } }]
        : [],
    ),
  },
};
