import { beforeAll, describe, expect, it } from 'vitest';
import { formats } from '../../../formats/registry.ts';
import { defaultDocument } from '../../../state/index.ts';
import { CATALOG } from '../../../../test/fake-engine.ts';
import { crossings, type Curve, turningPoint } from '../../../theory/crossings.ts';
import { type ChartLine, chartLines, denseLines, type SizeLine } from './chart-lines.ts';
import { evenWithDense, GRID, relativeSize, sampleCurve, type ExpectedMatrix } from './size-curves.ts';

const { params } = defaultDocument({ ...CATALOG, formats });
const QUESTION: ExpectedMatrix = { rows: 4096, cols: 11008, placement: 'independent' };

const titled = (id: string) => formats.filter((f) => f.id === id);

/** A root between two points of opposite signs, by the Illinois variant of the secant method. */
function regulaFalsi(f: Curve, from: number, to: number): number {
  let [low, high, atLow, atHigh] = [from, to, f(from), f(to)];
  for (let i = 0; i < 200 && Math.abs(high - low) > 1e-12 * high; i++) {
    const at = (low * atHigh - high * atLow) / (atHigh - atLow);
    const value = f(at);
    if (value === 0) return at;
    if (Math.sign(value) === Math.sign(atHigh)) [high, atHigh, atLow] = [at, value, atLow / 2];
    else [low, atLow, atHigh] = [at, value, atHigh / 2];
  }
  return (low + high) / 2;
}

function memoised(f: Curve): Curve {
  const known = new Map<number, number>();
  return (d) => {
    const value = known.get(d) ?? f(d);
    known.set(d, value);
    return value;
  };
}

describe('crossings', () => {
  const crossing = (a: Curve) => (b: Curve) => crossings(a, b, GRID);

  it('are found by halving: against formulas and against Newton’s method', () => {
    expect(crossing((d) => 3 * d)(() => 1)[0]).toBeCloseTo(1 / 3, 6);
    expect(crossing((d) => d + 1 / 16)(() => 1)[0]).toBeCloseTo(15 / 16, 6);
    // x = cos x
    let newton = 0.5;
    for (let i = 0; i < 8; i++) newton -= (newton - Math.cos(newton)) / (1 + Math.sin(newton));
    expect(crossing((d) => d)(Math.cos)[0]).toBeCloseTo(newton, 6);
    expect(crossing((d) => d)((d) => d + 1)).toEqual([]);
    expect(turningPoint((d) => d > 1e-3, 1e-4, 1)).toBeCloseTo(1e-3, 9);
  });
  it('finds all of them, and skips what is not a number', () => {
    expect(crossing((d) => Math.sin(20 * d))(() => 0).length).toBe(6);
    expect(crossing((d) => (d > 0.5 ? Number.NaN : d))(() => 0.7)).toEqual([]);
  });
});

describe('curves of sizes', () => {
  const wanted = chartLines(formats, params, { a: null, b: null }, QUESTION);
  const lines: SizeLine[] = [];
  beforeAll(async () => {
    for (const line of wanted) lines.push({ ...line, ...(await sampleCurve(line, QUESTION)) });
  });
  const lineOf = (id: string, question = QUESTION): ChartLine => {
    const [own] = titled(id).flatMap((format) => chartLines([format], params, { a: null, b: null }, question));
    return own;
  };
  /** The size of a format at any density that it supports. */
  const curveOf =
    (line: SizeLine): Curve =>
    (density) =>
      density <= line.supportedUpTo ? relativeSize(line, density, QUESTION) : Number.NaN;

  it('has no curve for a format without a closed form, nor for dense', () => {
    const without = formats.filter(({ id }) => !wanted.some(({ format }) => format.id === id));
    expect(without.map(({ id }) => id).toSorted()).toEqual(['dense', 'ec-csr']);
    expect(wanted.find(({ format }) => format.id === 'twell')?.params.valueType).toBe('bf16');
  });

  it('crosses dense at the density from the formulas', async () => {
    const crossing = async (line: ChartLine): Promise<number | null> =>
      evenWithDense(line, await sampleCurve(line, QUESTION), QUESTION, 1);
    const perRow = 32 / (QUESTION.cols * 16);
    expect(await crossing(lineOf('csr'))).toBeCloseTo((1 - perRow) / 2, 4);
    const wide = { ...lineOf('csr'), params: { ...lineOf('csr').params, indexBits: 32 } };
    expect(await crossing(wide), 'with 32-bit indices').toBeCloseTo((1 - perRow) / 3, 4);
    expect(await crossing(lineOf('bitmask'))).toBeCloseTo(1 - 1 / 16 - perRow, 4);
    expect(relativeSize(lineOf('bitmask'), 0.5, QUESTION)).toBeCloseTo(0.5625, 3);
  });

  it('finds every crossover of two formats where regula falsi on another grid finds it', () => {
    const all: readonly (readonly [name: string, curve: Curve])[] = [
      ...lines.map((line) => [line.format.id, memoised(curveOf(line))] as const),
      ...denseLines(params.dense, QUESTION).map(({ title, size }) => [title, () => size] as const),
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
        const found = crossings(a, b, GRID).filter((d) => d >= grid[0] && d <= grid[grid.length - 1]);
        const expected = grid.slice(1).flatMap((high, k) => {
          const signs = [grid[k], high].map((d) => Math.sign(a(d) - b(d)));
          return signs[0] * signs[1] === -1 ? [regulaFalsi((d) => a(d) - b(d), grid[k], high)] : [];
        });
        const words = `${name} and ${other}: ${found.join()} and ${expected.join()}`;
        expect(found.length, words).toBe(expected.length);
        for (const [k, at] of expected.entries()) expect(Math.abs(found[k] / at - 1), words).toBeLessThan(1e-5);
        compared += expected.length;
      }
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('ends lines at the format’s largest density', () => {
    const twell = lines.find(({ format }) => format.id === 'twell');
    expect(twell?.supportedUpTo).toBeLessThan(1);
    expect(twell?.sizes.at(-1)).toBeNaN();
  });

  it('ends SlideSparse at its pattern if groups are even', async () => {
    const even: ExpectedMatrix = { ...QUESTION, placement: 'even' };
    const { supportedUpTo, sizes } = await sampleCurve(lineOf('slidesparse', even), even);
    expect(supportedUpTo).toBeCloseTo(0.75, 3);
    expect(sizes[0]).toBeCloseTo(0.84375, 2);
  });
});
