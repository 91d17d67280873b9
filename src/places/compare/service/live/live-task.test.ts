import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../../../core/format.ts';
import { toDense } from '../../../../core/matrix/index.ts';
import { RepeatedRows, RotatedRows } from '../../../../core/matrix/repeated-rows.ts';
import { formats } from '../../../../formats/registry.ts';
import { Band } from './band.ts';
import { liveEncoder } from './live-task.ts';

describe('the band that densities are made of', () => {
  it('holds the wanted share of cells, and at a higher density everything of a lower one', () => {
    const band = new Band(64, 200, 7);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const low = band.at(Math.min(a, b));
        // Six standard deviations of 12,800 cells.
        expect(Math.abs(low.nnz / (64 * 200) - Math.min(a, b))).toBeLessThan(0.027);
        const some = toDense(low);
        const high = band.at(Math.max(a, b));
        const all = toDense(high);
        for (const [i, value] of some.entries()) if (value !== 0) expect(all[i]).toBe(value);
        expect(high.indptr.at(-1)).toBe(high.nnz);
      }),
      { numRuns: 30 },
    );
    expect([band.at(0).nnz, band.at(1).nnz]).toEqual([0, 64 * 200]);
  });
});

describe('what a thread encodes', () => {
  // Twice the rows that are encoded if a format repeats them.
  const shape = { rows: 2048, cols: 96, seed: 3 };
  const encode = liveEncoder(formats, shape);
  it.each(formats.map((format) => [format.id, format] as const))('%s holds the band again and again', (id, format) => {
    const params: Readonly<Record<string, unknown>> = { ...defaultParams<object>(format.params) };
    const output = encode({ format: id, params, density: 0.02 });
    if (!output.ok) throw new Error(output.reason);
    const decoded = toDense(format.decode(output.encoded));
    const half = decoded.length / 2;
    expect(decoded.subarray(0, half)).toEqual(decoded.subarray(half));
    const expected = toDense(new Band(2048, 96, 3).at(0.02));
    if (!output.pattern && (params.valueType === undefined || params.valueType === 'f16')) {
      expect(decoded.subarray(0, expected.length)).toEqual(expected);
    }
    expect(output.encoded.rows).toBe(2048);
  });

  it('is pruned to the pattern of a format that holds no other, and refused with its reason elsewhere', () => {
    const outputs = formats.map(({ id, params }) => ({
      id,
      output: encode({ format: id, params: { ...defaultParams<object>(params) }, density: 0.9 }),
    }));
    expect(outputs.filter(({ output }) => output.ok && output.pattern !== null)).not.toEqual([]);
    for (const { output } of outputs)
      if (!output.ok) expect(output.reason).toMatch(/^row \d+.* has .* non-zeros, more than /);
    expect(outputs.filter(({ output }) => !output.ok)).not.toEqual([]);
  });
});

describe('rows that are turned', () => {
  it('hold the band in every run, moved along the columns, ascending', () => {
    const band = new Band(3, 10, 2).at(0.4);
    const turned = new RotatedRows(band, 7);
    expect([turned.rows, turned.cols, turned.nnz]).toEqual([7, 10, new RepeatedRows(band, 7).nnz]);
    const [base, all] = [toDense(band), toDense(turned)];
    for (let r = 0; r < 7; r++) {
      const by = Math.floor((10 / 3) * Math.floor(r / 3));
      for (let c = 0; c < 10; c++) expect(all[10 * r + ((c + by) % 10)]).toBe(base[10 * (r % 3) + c]);
      const row = { columns: new Uint32Array(10), values: new Float32Array(10) };
      const columns = row.columns.subarray(0, turned.readRow(r, row));
      expect([...columns]).toEqual([...columns].toSorted((a, b) => a - b));
    }
  });
});
