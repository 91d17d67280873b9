import { describe, expect, it } from 'vitest';
import { uniformMatrix } from '../../../test/matrices.ts';
import { csrMatrix, toCsr } from '../../core/matrix/index.ts';
import { groupColumnBytes, groupColumns } from './kernels.ts';
import { bitmask } from './index.ts';

describe('columns of groups', () => {
  it.each([
    [40, 100, 0.5],
    [40, 100, 0.03],
    [7, 33, 1],
    [300, 5, 0.2],
  ])('columns of groups are the columns of every eighth value: %i x %i, density %f', (rows, cols, density) => {
    const m = uniformMatrix(rows, cols, density, 3);
    const e = bitmask.encode(m, { valueType: 'f16' });
    const columns = groupColumns(e);
    expect(Array.from(columns)).toEqual(Array.from(toCsr(m).indices).filter((_, i) => i % 8 === 0));
    expect(columns.byteLength).toBe(groupColumnBytes(e));
    expect(groupColumns(e)).toBe(columns);
  });

  it('columns of groups are wider for more than 65536', () => {
    const indices = Uint32Array.from({ length: 9 }, (_, i) => 70_000 + i);
    const data = new Float32Array(9).fill(1);
    const m = csrMatrix({ rows: 1, cols: 70_100, indptr: Uint32Array.of(0, 9), indices, data });
    expect(groupColumns(bitmask.encode(m, { valueType: 'f16' }))).toEqual(Uint32Array.of(70_000, 70_008));
  });
});
