import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINIATURE_COLUMNS } from '../core/comparison/comparison.ts';
import { namedArrays } from '../core/format.ts';
import { finish } from '../core/job.ts';
import { type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { type MatrixStatistics, statisticsSteps } from '../core/statistics/matrix-statistics.ts';
import { allParams, buildMatrix, matrixRecipe, paramsTitle, recipeFor } from '../../test/arbitraries.ts';
import { formats } from './registry.ts';
import { cases } from '../../test/scheduled.ts';

const REQUEST = {
  groups: [...new Set(formats.flatMap(({ comparison }) => comparison.groups ?? []))],
  blocks: [...new Set(formats.flatMap(({ comparison }) => comparison.blocks ?? []))],
};

const lookAt = (m: Matrix): MatrixStatistics => finish(statisticsSteps(m, REQUEST));

describe.each(formats.map((format) => [format.id, format] as const))('the comparison of %s', (_, format) => {
  const { comparison } = format;
  const every = allParams(format);
  const runs = Math.max(cases(1, 3), Math.ceil(cases(40, 80) / every.length));

  it('gives the same bytes as encoding, and refuses what encoding refuses', () => {
    let measured = 0;
    for (const params of every) {
      fc.assert(
        fc.property(recipeFor(format, params, 30, 200), (recipe) => {
          const m = buildMatrix(recipe);
          const size = comparison.size(lookAt(m), params);
          if (!format.admits(m, params).ok) return;
          expect(size, paramsTitle(params)).not.toBe('refused');
          if (size === 'open') return;
          measured++;
          expect(size, paramsTitle(params)).toBe(format.storage(format.encode(m, params)).totalBytes);
        }),
        { numRuns: runs },
      );
    }
    const s = lookAt(
      buildMatrix({ shape: [4, 40], pattern: 'uniform', density: 0.2, values: 'normal', seed: 1, storage: 'entries' }),
    );
    if (comparison.size(s, every[0]) !== 'open') expect(measured).toBeGreaterThan(cases(20, 40));
  });

  it('says in a sentence what does not fit, for every matrix that statistics refuse', () => {
    for (const params of every) {
      fc.assert(
        fc.property(matrixRecipe(20, 100), (recipe) => {
          const m = buildMatrix(recipe);
          const s = lookAt(m);
          if (comparison.size(s, params) !== 'refused') return;
          expect(format.admits(m, params).ok).toBe(false);
          expect(comparison.whyRefused?.(s, params)).toMatch(/^\S.*\S\.$/);
          for (const { text } of comparison.notes?.(s) ?? []) expect(text).not.toMatch(/NaN|Infinity|undefined/);
        }),
        { numRuns: runs },
      );
    }
  });

  it('shows the first row exactly, and explains its size in a sentence', () => {
    for (const params of every) {
      fc.assert(
        fc.property(recipeFor(format, params, 20, 100), (recipe) => {
          const m = buildMatrix({ ...recipe, values: 'small integers' });
          if (!format.admits(m, params).ok) return;
          const e = format.encode(m, params);
          const s = lookAt(m);
          const names = [...namedArrays(e).keys()];
          const inFirstRow = m.rows === 0 ? 0 : m.readRow(0, rowBuffer(m.cols));
          for (const strip of comparison.miniature(e)) {
            expect(names).toContain(strip.array);
            expect(strip.slots.length).toBeLessThanOrEqual(MINIATURE_COLUMNS);
            const values = strip.slots.filter((slot) => slot === 'value').length;
            // A block has values of several rows in one column.
            if (values > inFirstRow) expect(values).toBeLessThanOrEqual(MINIATURE_COLUMNS);
          }
          for (const digest of [{}, comparison.digest?.(e) ?? {}]) {
            const why = comparison.why(s, params, digest);
            expect(why).toMatch(/^\S.*\S\.$/);
            expect(why).not.toMatch(/NaN|Infinity|undefined/);
          }
          for (const mark of comparison.marks?.(s, params) ?? []) {
            expect(mark.at).toBeGreaterThan(0);
            expect(mark.lines.join(' ')).not.toMatch(/NaN|Infinity|undefined/);
          }
        }),
        { numRuns: runs },
      );
    }
  });

  it('proposes existing parameters of the format', () => {
    const m = buildMatrix({
      shape: [9, 60],
      pattern: 'uniform',
      density: 0.2,
      values: 'normal',
      seed: 1,
      storage: 'entries',
    });
    for (const candidate of comparison.candidates?.(lookAt(m), every[0]) ?? []) {
      expect(Object.keys(candidate)).toEqual(Object.keys(every[0]));
      expect(format.admits(m, candidate).ok).toBe(true);
    }
    expect(format.effort).toBeGreaterThan(0);
  });
});

describe('miniatures', () => {
  /** Row 0 has non-zeros in columns 1, 2, 9 and 40. */
  const m = buildRow([1, 2, 9, 40], 64);
  const kinds = (id: string, params: object): readonly string[] => {
    const format = formats.find((f) => f.id === id);
    if (!format) throw new Error(id);
    const full = { ...allParams(format)[0], ...params };
    return format.comparison
      .miniature(format.encode(m, full))
      .map(({ array, bits, slots }) => `${array} ${bits}: ${slots.map((slot) => CODES[slot]).join('')}`);
  };
  const CODES = { value: 'v', zero: '0', index: 'i', 'no-index': '.', metadata: 'm', padding: 'p' } as const;

  it('of dense and bitmask have a slot for every column', () => {
    expect(kinds('dense', { valueType: 'f16' })).toEqual(['data 16: 0vv000000v00000000000000000000']);
    expect(kinds('bitmask', { valueType: 'f16' })).toEqual([
      'values 16: vvv',
      'mask 1: .ii......i....................',
      'rowPtr 32: m',
    ]);
  });

  it('of MACKO have the padding at its position', () => {
    expect(kinds('macko', { deltaBits: 2, valueType: 'f16' })).toEqual([
      'values 16: vvpvppppp',
      'deltas 2: iipippppp',
      'indptr 32: m',
    ]);
  });

  it('of CSR and ELL have an index for every value', () => {
    expect(kinds('csr', { valueType: 'f16', indexBits: 16 })).toEqual([
      'data 16: vvv',
      'indices 16: iii',
      'indptr 32: m',
    ]);
    expect(kinds('ell', { valueType: 'f32', indexBits: 32 })).toEqual([
      'values 32: vvvpp',
      'indices 32: iiipp',
      'counts 32: m',
    ]);
  });

  it('of SlideSparse have two slots a window', () => {
    expect(kinds('slidesparse', { halfGroup: 2, valueType: 'f16' })[0]).toBe('values 16: vvpppvpppppppppp');
  });
});

/** A matrix of two rows: the first with these columns, the second with six more. */
function buildRow(columns: readonly number[], cols: number): Matrix {
  const cells = new Float32Array(2 * cols);
  for (const c of columns) cells[c] = 1;
  for (let c = 0; c < 60; c += 10) cells[cols + c] = 1;
  return { rows: 2, cols, nnz: columns.length + 6, readRow: readerOf(cells, cols) };
}

function readerOf(cells: Float32Array, cols: number): Matrix['readRow'] {
  return (row, into) => {
    let n = 0;
    for (let c = 0; c < cols; c++) {
      if (cells[row * cols + c] === 0) continue;
      into.columns[n] = c;
      into.values[n++] = cells[row * cols + c];
    }
    return n;
  };
}
