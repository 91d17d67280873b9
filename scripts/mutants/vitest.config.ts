import config from '../../vite.config.ts';

/**
 * Configuration of Vitest for mutants of TypeScript: all tests that need no browser. Isolated, since a module that stays
 * loaded from the last run would lack the mutant.
 */
// oxlint-disable-next-line import/no-default-export -- the shape that Vitest expects
export default {
  ...config,
  test: {
    projects: config.test?.projects?.flatMap((project) =>
      typeof project === 'object' && 'test' in project && project.test?.name !== 'gpu'
        ? [{ ...project, test: { ...project.test, isolate: true } }]
        : [],
    ),
  },
};
