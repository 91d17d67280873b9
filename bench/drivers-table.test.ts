import { expect, test } from 'vitest';
import { driversTable } from './drivers-table.ts';

test('the table counts the right kernels of each operation and device, then lists wrong and rejected kernels', () => {
  const right = { outcome: 'right', reason: '' } as const;
  const table = driversTable([
    {
      device: 'Mesa',
      limits: 'all',
      subgroups: 8,
      outcomes: [
        { kernel: 'toy/spmv', operation: 'spmv', ...right },
        { kernel: 'toy/spmv_subgroup', operation: 'spmv', ...right },
        { kernel: 'toy/gemm', operation: 'gemm', outcome: 'wrong', reason: '3 of 4 outputs are wrong' },
      ],
      exact: [{ kernel: 'toy/gemm_i8', reference: 'toy/gemm', rows: 2, cols: 3, tokens: 4, equal: 7, unequal: 1 }],
    },
    {
      device: 'Mesa',
      limits: 'minimum',
      subgroups: 0,
      outcomes: [
        { kernel: 'toy/spmv', operation: 'spmv', ...right },
        { kernel: 'toy/spmv_subgroup', operation: 'spmv', outcome: 'refused', reason: "needs 'subgroups'" },
        { kernel: 'toy/gemm', operation: 'gemm', outcome: 'refused', reason: "needs 'subgroups'" },
      ],
      exact: [],
    },
  ]);
  expect(table).toBe(
    [
      'A  Mesa, all its limits, subgroups of 8',
      'B  Mesa, minimum limits, no subgroups',
      '',
      'right, of all',
      '           A       B',
      'spmv  2 of 2  1 of 2',
      'gemm  0 of 1  0 of 1',
      'all   2 of 3  1 of 3',
      '',
      'A  bit for bit',
      '   toy/gemm_i8 and toy/gemm, 2 × 3, 4 tokens: 7 equal, 1 unequal',
      '',
      'A  wrong: 3 of 4 outputs are wrong',
      '   toy/gemm',
      '',
      "B  refused: needs 'subgroups'",
      '   toy/spmv_subgroup, toy/gemm',
    ].join('\n'),
  );
});
