// Global setup of Vitest: the seed of random cases, and whether all tests run.

import type { TestProject } from 'vitest/node';

/** The seed of the random cases of all properties. To change it: FUZZ_SEED=2 npx vitest run. */
const DEFAULT_SEED = 1;

declare module 'vitest' {
  export interface ProvidedContext {
    readonly fuzzSeed: number;
    /** Scheduled tests run as well, and all cases of the others: TEST_ALL=1 npx vitest run. */
    readonly runsAll: boolean;
  }
}

/** Runs once before the tests: chooses the seed of their properties and prints it, and whether all tests run. */
export function setup(project: TestProject): void {
  const seedText = process.env.FUZZ_SEED;
  const seed = seedText === undefined || seedText === '' ? DEFAULT_SEED : Number(seedText);
  if (!Number.isInteger(seed)) throw new Error(`FUZZ_SEED: found '${seedText}', expected a whole number`);
  process.stdout.write(`Properties of project ${project.name} with FUZZ_SEED=${seed}\n`);
  project.provide('fuzzSeed', seed);
  project.provide('runsAll', process.env.TEST_ALL === '1');
}
