import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../../core/format.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { formats } from '../../../formats/registry.ts';
import type { FormatParams, FormatChoice } from '../../../state/index.ts';
import { KNOWN_MODELS } from '../../../theory/models/known-models.ts';
import { shareOf } from '../../../kit/forms/use-density.ts';
import { prunedTo } from '../chart/chart-parts.ts';
import { GRID, sampleCurve, type ExpectedMatrix } from './size-curves.ts';
import { expectedBytes } from '../../../theory/expected-bytes.ts';
import { type ChartLine, chartLines, denseLines } from './chart-lines.ts';
import { type ModelQuery, modelCostAt, largestDensityBelow } from '../chart/model-lines.ts';

const MATRIX: ExpectedMatrix = { rows: 512, cols: 512, placement: 'independent' };
const LISTED_IDS = ['dense', 'csr', 'bitmask', 'macko'];

function stored(id: string, changed: FormatParams = {}): FormatChoice {
  const format = formats.find((candidate) => candidate.id === id);
  if (!format) throw new Error(id);
  return { format: id, params: { ...defaultParams<FormatParams>(format.params), ...changed } };
}

const listed = formats.filter(({ id }) => LISTED_IDS.includes(id));
const params = Object.fromEntries(listed.map(({ id }) => [id, stored(id).params]));
const linesOf = (a: FormatChoice, b: FormatChoice | null = null): readonly ChartLine[] =>
  chartLines(listed, params, { a, b }, MATRIX);

describe('the lines of the chart', () => {
  it('are A and B, every format in f16, and the formats of A and B in fewer bits', () => {
    const lines = linesOf(stored('macko'), stored('csr'));
    expect(lines.map(({ title, side, isQuantised }) => [title, side, isQuantised])).toEqual([
      ['MACKO', 'a', false],
      ['CSR', 'b', false],
      ['bitmask', null, false],
      ['MACKO i8', null, true],
    ]);
  });

  it('are two where A and B are one format with other parameters, and none for dense', () => {
    const lines = linesOf(stored('macko'), stored('macko', { deltaBits: 2 }));
    expect(lines.filter(({ side }) => side !== null).map(({ title }) => title)).toEqual(['MACKO', 'MACKO 2']);
    expect(linesOf(stored('dense')).filter(({ side }) => side !== null)).toEqual([]);
  });

  it('are relative to dense f16, for any value type', async () => {
    const [a] = linesOf(stored('macko', { valueType: 'i8' }));
    const { sizes } = await sampleCurve(a, MATRIX);
    expect([a.title, a.side, a.isQuantised]).toEqual(['MACKO i8', 'a', true]);
    const half = GRID.indexOf(0.5);
    const bytes = expectedBytes(a, 0.5, MATRIX) ?? Number.NaN;
    expect(sizes[half]).toBeCloseTo((8 * bytes) / (512 * 512 * VALUE_BITS.f16), 9);
  });

  it('are compared with rules of dense in f16, i8 and i4, scales included', () => {
    const rules = denseLines(params.dense, MATRIX);
    expect([rules.map(({ title }) => title), rules[0].size]).toEqual([['dense f16', 'dense i8', 'dense i4'], 1]);
    expect(rules[1].size).toBeGreaterThan(0.5);
    expect(rules[2].size).toBeCloseTo(0.28125, 3);
  });
});

describe('a model by density', () => {
  const query: ModelQuery = { model: KNOWN_MODELS[3], fusion: 'separate', keepHead: true, readGBps: null };

  it('is smaller than dense below the crossing, larger above it', () => {
    const [a] = linesOf(stored('macko'));
    const line = { ...a, sizes: [], supportedUpTo: 1 };
    const costs = GRID.map((share) => (share < 0.01 ? null : modelCostAt(query, a, share)));
    const dense = modelCostAt(query, denseLines(params.dense, MATRIX)[0], 1);
    if (!dense) throw new Error('dense has a closed form');
    expect(dense.stored / 1e9).toBeCloseTo(16.06, 1);
    const crossing = largestDensityBelow(query, { line, costs }, 'stored', dense.stored);
    if (crossing === null) throw new Error('MACKO crosses dense');
    expect(crossing).toBeGreaterThan(0.7);
    expect(modelCostAt(query, a, crossing - 0.001)?.stored).toBeLessThan(dense.stored);
    expect(modelCostAt(query, a, crossing + 0.001)?.stored).toBeGreaterThan(dense.stored);
    expect(largestDensityBelow(query, { line, costs }, 'stored', 0)).toBeNull();
  });
});

describe('the pruning at a position of the slider', () => {
  it('is in the same way as before, by magnitude if there was none', () => {
    expect(prunedTo(null, 0.3)).toEqual({ way: 'magnitude', density: 0.3 });
    expect(prunedTo({ way: 'random', density: 0.5, seed: 7 }, 0.3)).toEqual({ way: 'random', density: 0.3, seed: 7 });
    expect(prunedTo({ way: 'wanda', density: 0.5 }, 0.3)).toEqual({ way: 'wanda', density: 0.3 });
  });

  it('of a pattern is the pattern with that density, or the next denser one', () => {
    const pruning = prunedTo({ way: 'n-of-m', kept: 2, group: 4 }, 0.7);
    expect([pruning, shareOf(pruning)]).toEqual([{ way: 'n-of-m', kept: 6, group: 8 }, 0.75]);
  });
});
