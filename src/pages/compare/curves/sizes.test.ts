import { beforeAll, describe, expect, it } from 'vitest';
import { formats } from '../../../formats/registry.ts';
import { defaultDocument } from '../../../state/index.ts';
import { CATALOG } from '../../../../test/fake-engine.ts';
import { crossings, type Curve, turningPoint } from '../../../theory/crossings.ts';
import { type ChartLine, chartLines, denseLines, type SizeLine } from './chart-lines.ts';
import { evenWithDense, GRID, relativeSize, sampleCurve, type ExpectedMatrix } from './size-curves.ts';

const { params } = defaultDocument({ ...CATALOG, formats });
/** The matrix whose sizes are drawn: 4096 × 11 008 cells with non-zeros at independent positions. */
const MATRIX: ExpectedMatrix = { rows: 4096, cols: 11008, placement: 'independent' };

/** A root between two points of opposite signs, by regula falsi in its Illinois variant. */
function regulaFalsi(f: Curve, from: number, to: number): number {
  let [low, high, lowValue, highValue] = [from, to, f(from), f(to)];
  for (let i = 0; i < 200 && Math.abs(high - low) > 1e-12 * high; i++) {
    const middle = (low * highValue - high * lowValue) / (highValue - lowValue);
    const value = f(middle);
    if (value === 0) return middle;
    // Illinois: the value at the end that stays is halved, so that this end moves soon as well.
    if (Math.sign(value) === Math.sign(highValue)) [high, highValue, lowValue] = [middle, value, lowValue / 2];
    else [low, lowValue, highValue] = [middle, value, highValue / 2];
  }
  return (low + high) / 2;
}

/** The curve, which computes each density once. */
function memoised(f: Curve): Curve {
  const cache = new Map<number, number>();
  return (d) => {
    const value = cache.get(d) ?? f(d);
    cache.set(d, value);
    return value;
  };
}

describe('crossings', () => {
  const crossingsOf = (a: Curve, b: Curve): readonly number[] => crossings(a, b, GRID);

  it('crossings equal roots that are known, or found by Newton’s method; curves that never meet have none', () => {
    expect(
      crossingsOf(
        (d) => 3 * d,
        () => 1,
      )[0],
    ).toBeCloseTo(1 / 3, 6);
    expect(
      crossingsOf(
        (d) => d + 1 / 16,
        () => 1,
      )[0],
    ).toBeCloseTo(15 / 16, 6);
    // x = cos x
    let newton = 0.5;
    for (let i = 0; i < 8; i++) newton -= (newton - Math.cos(newton)) / (1 + Math.sin(newton));
    expect(crossingsOf((d) => d, Math.cos)[0]).toBeCloseTo(newton, 6);
    expect(
      crossingsOf(
        (d) => d,
        (d) => d + 1,
      ),
    ).toEqual([]);
  });
  it('turningPoint finds where a condition begins to be true', () => {
    expect(turningPoint((d) => d > 1e-3, 1e-4, 1)).toBeCloseTo(1e-3, 9);
  });

  it('crossings finds every crossing, and skips densities where a curve is NaN', () => {
    expect(
      crossingsOf(
        (d) => Math.sin(20 * d),
        () => 0,
      ).length,
    ).toBe(6);
    expect(
      crossingsOf(
        (d) => (d > 0.5 ? Number.NaN : d),
        () => 0.7,
      ),
    ).toEqual([]);
  });
});

describe('curves of sizes', () => {
  const drawnLines = chartLines(formats, params, { a: null, b: null }, MATRIX);
  const lines: SizeLine[] = [];
  beforeAll(async () => {
    for (const line of drawnLines) lines.push({ ...line, ...(await sampleCurve(line, MATRIX)) });
  });
  const lineOf = (id: string, matrix = MATRIX): ChartLine => {
    const [line] = chartLines(
      formats.filter((format) => format.id === id),
      params,
      { a: null, b: null },
      matrix,
    );
    return line;
  };
  /** The size of a format at any density that it supports. */
  const curveOf =
    (line: SizeLine): Curve =>
    (density) =>
      density <= line.supportedUpTo ? relativeSize(line, density, MATRIX) : Number.NaN;

  it('every format has a curve except dense and EC-CSR, which has no closed form', () => {
    const without = formats.filter(({ id }) => !drawnLines.some(({ format }) => format.id === id));
    expect(without.map(({ id }) => id).toSorted()).toEqual(['dense', 'ec-csr']);
    expect(drawnLines.find(({ format }) => format.id === 'twell')?.params.valueType).toBe('bf16');
  });

  it('the curves of CSR and bitmask cross dense at the densities that their formulas give', async () => {
    const crossing = async (line: ChartLine): Promise<number | null> =>
      evenWithDense(line, await sampleCurve(line, MATRIX), MATRIX);
    // The 32 bits of a row start, relative to a dense row.
    const perRow = 32 / (MATRIX.cols * 16);
    expect(await crossing(lineOf('csr'))).toBeCloseTo((1 - perRow) / 2, 4);
    const wide = { ...lineOf('csr'), params: { ...lineOf('csr').params, indexBits: 32 } };
    expect(await crossing(wide), 'with 32-bit indices').toBeCloseTo((1 - perRow) / 3, 4);
    expect(await crossing(lineOf('bitmask'))).toBeCloseTo(1 - 1 / 16 - perRow, 4);
    expect(relativeSize(lineOf('bitmask'), 0.5, MATRIX)).toBeCloseTo(0.5625, 3);
  });

  it('finds every crossover of two formats where regula falsi on another grid finds it', () => {
    const all: readonly (readonly [name: string, curve: Curve])[] = [
      ...lines.map((line) => [line.format.id, memoised(curveOf(line))] as const),
      ...denseLines(params.dense, MATRIX).map(({ title, size }) => [title, () => size] as const),
    ];
    expect(all.map(([name]) => name)).toEqual(expect.arrayContaining(['bsr', 'hybrid', 'dense i4']));
    // Not the densities of the page's own grid, and closer together.
    const grid = [
      ...Array.from({ length: 120 }, (_, i) => 1.0001e-4 * 99.7 ** (i / 120)),
      ...Array.from({ length: 260 }, (_, i) => 0.00997 + (0.98997 * i) / 259),
    ];
    let compared = 0;
    for (const [i, [name, a]] of all.entries()) {
      for (const [other, b] of all.slice(i + 1)) {
        const actual = crossings(a, b, GRID).filter((d) => d >= grid[0] && d <= grid[grid.length - 1]);
        const expected = grid.slice(1).flatMap((high, k) => {
          const signs = [grid[k], high].map((d) => Math.sign(a(d) - b(d)));
          return signs[0] * signs[1] === -1 ? [regulaFalsi((d) => a(d) - b(d), grid[k], high)] : [];
        });
        const words = `${name} and ${other}: ${actual.join()} and ${expected.join()}`;
        expect(actual.length, words).toBe(expected.length);
        for (const [k, density] of expected.entries())
          expect(Math.abs(actual[k] / density - 1), words).toBeLessThan(1e-5);
        compared += expected.length;
      }
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('the curve of TwELL ends at the largest density that it supports, below 1', () => {
    const twell = lines.find(({ format }) => format.id === 'twell');
    expect(twell?.supportedUpTo).toBeLessThan(1);
    expect(twell?.sizes.at(-1)).toBeNaN();
  });

  it('the curve of SlideSparse ends at the density 0.75 of its pattern if non-zeros are evenly placed', async () => {
    const even: ExpectedMatrix = { ...MATRIX, placement: 'even' };
    const { supportedUpTo, sizes } = await sampleCurve(lineOf('slidesparse', even), even);
    expect(supportedUpTo).toBeCloseTo(0.75, 3);
    expect(sizes[0]).toBeCloseTo(0.84375, 2);
  });
});
