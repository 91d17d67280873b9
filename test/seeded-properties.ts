// Setup of tests with fast-check: number of cases, and seeds.

import fc from 'fast-check';
import { beforeEach, inject } from 'vitest';
import './typed-arrays.ts';
import { cases } from './scheduled.ts';

/** Cases of a property that does not set their number: 100, fast-check's default, if all tests run. */
const RUNS = cases(25, 100);

/**
 * Every property uses the same cases on every run, so that a failure means a change: its seed is derived from FUZZ_SEED
 * and the name of its test, so that tests with the same arbitraries do not share their cases.
 */
beforeEach(({ task }) => {
  let hash = inject('fuzzSeed') | 0;
  for (const character of `${task.file.name} > ${task.fullTestName}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: hash, numRuns: RUNS });
});
