import type { Workload } from '../src/core/report.ts';

/** The product on which made-up cases are timed: a tiny one. */
export const WORKLOAD: Workload = {
  operation: 'spmv',
  rows: 3,
  cols: 4,
  nnz: 3,
  density: 0.25,
  source: 'test',
  seed: 5,
  memory: 'cold',
  rounds: 6,
};
