import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { published } from '../formats/macko/published.ts';
import here from './whole-tokens.json';
import { kernelGain, modelGain, shareOf, WORTH } from './worth.ts';

const close = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(b));

it('Amdahl’s law, the share and the kernel are three sides of one equation', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1 }), fc.double({ min: 1.01, max: 100 }), (share, kernel) => {
      const model = modelGain(share, kernel);
      expect(close(shareOf(kernel, model), share)).toBe(true);
      expect(Math.abs(kernelGain(share, model) / kernel - 1)).toBeLessThan(1e-6);
      expect(model).toBeLessThanOrEqual(kernel * (1 + 1e-12));
      expect(model).toBeGreaterThanOrEqual(1);
    }),
  );
  expect(modelGain(0.5, Infinity)).toBe(2);
});

it('times of this page are those of its report', () => {
  interface Kind {
    readonly ns: number;
  }
  interface Decode {
    readonly format: string;
    readonly params: { readonly valueType: string };
    readonly density: number;
    readonly runs: readonly {
      readonly msPerToken: { readonly median: number };
      readonly times: { readonly kinds: { readonly matrices: Kind; readonly head: Kind } };
    }[];
  }
  const reports: readonly Decode[] = JSON.parse(readFileSync(here.source, 'utf8'));
  const rows = reports
    // With 10 % left the clock of the card fell while its products were timed: docs/performance-log.md.
    .filter(({ params, density }) => params.valueType === 'f16' && density > 0.1)
    .map(({ format, density, runs }) => ({
      format,
      density,
      tokenMs: Number(runs[0].msPerToken.median.toFixed(3)),
      productsMs: Number(((runs[0].times.kinds.matrices.ns + runs[0].times.kinds.head.ns) / 1e6).toFixed(3)),
    }));
  expect(here.rows).toEqual(rows);
});

const [ours, macko, ecSpmv, twell, slideSparse] = WORTH.map(({ points }) => points);

it('predicts the tokens of this page within 3 %', () => {
  expect(ours).toHaveLength(2);
  for (const { name, predicted, model } of ours) expect(Math.abs(model / predicted - 1), name).toBeLessThan(0.03);
});

it('has MACKO’s kernels as they are published, and models that gain more than half of them could', () => {
  const onCard = published.find(({ title, on }) => title === 'MACKO' && on === 'RTX 4090');
  for (const { name, kernel } of macko) {
    const density = Number.parseInt(name.slice('MACKO, '.length), 10) / 100;
    expect(onCard?.points.find((point) => point.density === density)?.value, name).toBe(kernel);
  }
  expect(macko.map(({ model, kernel }) => model > kernel)).toEqual([true, true, false]);
});

it('explains TwELL’s 17 to 20 % by the share of the block alone, within 1.5 %', () => {
  expect(new Set(twell.map(({ kernel }) => kernel)).size).toBe(1);
  for (const { name, predicted, model } of twell) expect(Math.abs(predicted / model - 1), name).toBeLessThan(0.015);
  const shares = twell.map(({ share }) => share);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});

it('explains SlideSparse’s 115 % within a point', () => {
  const [two, six] = slideSparse;
  expect(two.predicted).toBeCloseTo(two.model, 9);
  expect(Math.abs(six.predicted / six.model - 1)).toBeLessThan(0.02);
  expect(Math.abs(((six.predicted / two.model) * 1.5 - 1.15) * 100)).toBeLessThan(1);
});

it('says that EC-SpMV’s model gains less than its bytes allow, and less with longer texts', () => {
  expect(ecSpmv.every(({ model, predicted }) => model < predicted)).toBe(true);
  const gains = ecSpmv.map(({ model }) => model);
  expect(gains).toEqual(gains.toSorted((a, b) => b - a));
});
