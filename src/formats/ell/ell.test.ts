import { describe, expect, it } from 'vitest';
import { hugeMatrix, matrixOf } from '../../../test/matrices.ts';
import { f16Bits } from '../../core/number/index.ts';
import { ell } from './index.ts';
import type { EllParams } from './params.ts';

const F16: EllParams = { valueType: 'f16', indexBits: 32 };
const A = matrixOf([0, 1, 0, -2, 0], [0, 0, 0, 0, 0], [0.5, 0, 0, 4, 3]);

it('ell encode rejects slots that do not fit into one array, and reports how many there would be', () => {
  const m = hugeMatrix(2 ** 17, 2 ** 14, 2 ** 14);
  const reason = 'indices of 131072 rows with 16384 slots: needs 8.59 GB, one array holds at most 4.29 GB';
  expect(() => ell.encode({ ...m, readRow: () => 2 ** 14 }, F16)).toThrow(reason);
});

describe('ell validate', () => {
  const e = ell.encode(A, F16);
  const messages = (change: Partial<typeof e>): string[] =>
    ell.validate({ ...e, ...change }, 'full').map((violation) => violation.message);

  it('requires empty slots to be 0', () => {
    const values = e.values.slice();
    values[1] = f16Bits(7);
    expect(messages({ values })).toEqual([`values[1], an empty slot of row 1: found ${f16Bits(7)}, expected 0`]);
  });

  it('requires counts that add up to nnz and reach the width', () => {
    expect(messages({ counts: Uint32Array.of(2, 1, 3) })).toEqual(['sum of counts: found 6, expected nnz = 5']);
    expect(messages({ counts: Uint32Array.of(2, 1, 2) })).toEqual(['largest count: found 2, expected width = 3']);
  });
});
