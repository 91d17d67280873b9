// A workload for tests of reports and runs.

import type { Workload } from '../src/core/report.ts';

/** A tiny matrix-vector product, for made-up benchmark cases. */
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
