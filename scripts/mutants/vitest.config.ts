import config from '../../vite.config.ts';

/** The tests that may find a mutant of TypeScript: all that need no browser. */
// oxlint-disable-next-line import/no-default-export -- the shape that Vitest expects
export default {
  ...config,
  test: {
    projects: config.test?.projects?.filter(
      (one) => typeof one === 'object' && 'test' in one && one.test?.name !== 'gpu',
    ),
  },
};
