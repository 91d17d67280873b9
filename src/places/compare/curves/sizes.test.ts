import { beforeAll, describe, expect, it } from 'vitest';
import { formats } from '../../../formats/registry.ts';
import { defaultDocument } from '../../../state/index.ts';
import { CATALOG } from '../../../../test/fake-engine.ts';
import { crossings, type Curve, turningPoint } from '../../../theory/crossings.ts';
import { quantisedLines } from './references.ts';
import { curveOf, type FormatCurves, GRID, sampleFormat, type VariantCurve } from './size-curves.ts';
import { relativeSize, type SizeQuestion, variantsOf } from './variants.ts';

const { params } = defaultDocument({ ...CATALOG, formats });
const QUESTION: SizeQuestion = { rows: 4096, cols: 11008, valueType: 'f16', placement: 'independent' };

const titled = (id: string) => formats.filter((f) => f.id === id);

/** The smallest variant at a density; null if none is held. */
function smallestVariant(
  variants: readonly VariantCurve[],
  density: number,
  question: SizeQuestion,
): { readonly curve: VariantCurve; readonly size: number } | null {
  let best: { readonly curve: VariantCurve; readonly size: number } | null = null;
  for (const curve of variants) {
    const size = curveOf(curve, question)(density);
    if (size < (best?.size ?? Infinity)) best = { curve, size };
  }
  return best;
}

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

describe('variants of a format', () => {
  it('are all combinations of the choices that change its size, the current first', () => {
    const [macko] = titled('macko');
    expect(variantsOf(macko, params.macko, QUESTION).map((v) => [v.label, v.current])).toEqual([
      ['4 bits', true],
      ['1 bits', false],
      ['2 bits', false],
      ['8 bits', false],
    ]);
    const [twell] = titled('twell');
    const tiles = variantsOf(twell, params.twell, QUESTION);
    expect(tiles.length).toBeGreaterThan(10);
    expect(tiles.every((v) => (twell.unusable?.(v.params as never) ?? null) === null)).toBe(true);
  });
  it('take the asked type of values, or one of as many bits, or are none', () => {
    const [twell] = titled('twell');
    expect(variantsOf(twell, params.twell, QUESTION)[0].params.valueType).toBe('bf16');
    const [csr] = titled('csr');
    expect(variantsOf(csr, params.csr, { ...QUESTION, valueType: 'i8' })).toEqual([]);
    expect(variantsOf(csr, params.csr, { ...QUESTION, valueType: 'f32' })[0].params.valueType).toBe('f32');
  });
});

describe('crossings', () => {
  it('are found by halving: against formulas and against Newton’s method', () => {
    expect(
      crossings(
        (d) => 3 * d,
        () => 1,
        GRID,
      )[0],
    ).toBeCloseTo(1 / 3, 6);
    expect(
      crossings(
        (d) => d + 1 / 16,
        () => 1,
        GRID,
      )[0],
    ).toBeCloseTo(15 / 16, 6);
    // x = cos x
    let newton = 0.5;
    for (let i = 0; i < 8; i++) newton -= (newton - Math.cos(newton)) / (1 + Math.sin(newton));
    expect(crossings((d) => d, Math.cos, GRID)[0]).toBeCloseTo(newton, 6);
    expect(
      crossings(
        (d) => d,
        (d) => d + 1,
        GRID,
      ),
    ).toEqual([]);
    expect(turningPoint((d) => d > 1e-3, 1e-4, 1)).toBeCloseTo(1e-3, 9);
  });
  it('finds all of them, and skips what is not a number', () => {
    const wave = (d: number): number => Math.sin(20 * d);
    expect(crossings(wave, () => 0, GRID).length).toBe(6);
    expect(
      crossings(
        (d) => (d > 0.5 ? Number.NaN : d),
        () => 0.7,
        GRID,
      ),
    ).toEqual([]);
  });
});

describe('curves of sizes', () => {
  let curves: readonly FormatCurves[] = [];
  beforeAll(async () => {
    curves = await Promise.all(formats.map((f) => sampleFormat(f, params[f.id], QUESTION)));
  });
  const all = () => curves.flatMap((f) => f.variants);

  it('has none for a format without a closed form, nor without the value type', async () => {
    expect(curves.filter((f) => f.variants.length === 0).map((f) => f.format.id)).toEqual(['ec-csr']);
    const i8 = await Promise.all(formats.map((f) => sampleFormat(f, params[f.id], { ...QUESTION, valueType: 'i8' })));
    expect(i8.filter((f) => f.variants.length === 0).map((f) => f.format.id)).toContain('csr');
  });

  it('crosses dense where formulas say', () => {
    const crossing = (id: string, index = 0): number => {
      const { variants } = curves.find((f) => f.format.id === id) ?? { variants: [] };
      return crossings(curveOf(variants[index], QUESTION), () => 1, GRID)[0];
    };
    const perRow = 32 / (QUESTION.cols * 16);
    expect(crossing('csr')).toBeCloseTo((1 - perRow) / 2, 4);
    expect(crossing('csr', 1), 'with 32-bit indices').toBeCloseTo((1 - perRow) / 3, 4);
    expect(crossing('bitmask')).toBeCloseTo(1 - 1 / 16 - perRow, 4);
    expect(
      relativeSize(all().find((c) => c.variant.format.id === 'bitmask')?.variant ?? all()[0].variant, 0.5, QUESTION),
    ).toBeCloseTo(0.5625, 3);
  });

  it('finds every crossover of two formats where regula falsi on another grid finds it', () => {
    const dense = titled('dense').flatMap((format) => quantisedLines(format, params.dense, QUESTION));
    const lines: readonly (readonly [name: string, curve: Curve])[] = [
      ...curves.flatMap(({ variants: [current] }) =>
        current ? [[current.variant.format.id, memoised(curveOf(current, QUESTION))] as const] : [],
      ),
      ...dense.map(({ title, share }) => [title, () => share] as const),
    ];
    expect(lines.map(([name]) => name)).toEqual(expect.arrayContaining(['bsr', 'hybrid', 'dense i4']));
    // Not the densities of the page's own grid, and closer together.
    const grid = [
      ...Array.from({ length: 120 }, (_, i) => 1.0001e-4 * 99.7 ** (i / 120)),
      ...Array.from({ length: 260 }, (_, i) => 0.00997 + (0.98997 * i) / 259),
    ];
    let compared = 0;
    for (const [i, [name, a]] of lines.entries()) {
      for (const [other, b] of lines.slice(i + 1)) {
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

  it('ends lines where a format holds no more', () => {
    const twell = curves.find((f) => f.format.id === 'twell');
    for (const { heldUpTo, sizes } of twell?.variants ?? []) {
      expect(heldUpTo).toBeLessThan(1);
      expect(sizes.at(-1)).toBeNaN();
    }
  });

  it('gives SlideSparse its staircase where groups are even', async () => {
    const even: SizeQuestion = { ...QUESTION, placement: 'even' };
    const [slide] = await Promise.all(titled('slidesparse').map((f) => sampleFormat(f, params[f.id], even)));
    const steps = [0.4, 0.6, 0.7, 0.79, 0.82, 0.85, 0.87].map(
      (d) => smallestVariant(slide.variants, d, even)?.size ?? 0,
    );
    expect(steps[0]).toBeCloseTo(0.5625, 2);
    expect(steps[1]).toBeCloseTo(0.75, 2);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(smallestVariant(slide.variants, 0.9, even)).toBeNull();
  });
});
