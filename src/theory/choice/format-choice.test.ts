import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatById } from '../../formats/registry.ts';
import {
  candidates,
  chooseFormats,
  type FormatOption,
  keyOf,
  matrixOptions,
  type MatrixOptions,
  totalsInOneFormat,
} from './format-choice.ts';

const FORMATS = ['dense', 'macko', 'slidesparse'].map(formatById);

const ALL = candidates(FORMATS, FORMATS[0], 4);

/** Options with any bytes and times for up to six matrices; the first format supports every matrix, others some. */
const anyOptions: fc.Arbitrary<readonly MatrixOptions[]> = fc.array(
  fc
    .record({
      count: fc.integer({ min: 1, max: 40 }),
      costs: fc.array(
        fc.record({
          bytes: fc.integer({ min: 1, max: 1000 }),
          ns: fc.option(fc.integer({ min: 1, max: 1000 }), { freq: 8 }),
          isSupported: fc.boolean(),
        }),
        { minLength: ALL.length, maxLength: ALL.length },
      ),
    })
    .map(({ count, costs }): MatrixOptions => ({
      matrix: {
        name: 'w',
        rows: 4,
        cols: 4,
        count,
        active: Math.ceil(count / 2),
        density: 0.5,
        placement: 'independent',
        keptDense: false,
      },
      options: costs.flatMap(({ bytes, ns, isSupported }, i): FormatOption[] =>
        i > 0 && !isSupported
          ? []
          : [
              {
                candidate: ALL[i],
                bytes,
                isExact: false,
                time: ns === null && i > 0 ? null : { ns: ns ?? 1000, spread: 0.1, from: 'measured' },
              },
            ],
      ),
    })),
  { minLength: 1, maxLength: 6 },
);

describe('a choice of formats', () => {
  it('has at most the bytes of any one format for all matrices, and at most the time', () => {
    fc.assert(
      fc.property(anyOptions, (matrices) => {
        const bytes = chooseFormats(matrices, 'bytes');
        const time = chooseFormats(matrices, 'time');
        for (const candidate of ALL) {
          const single = totalsInOneFormat(matrices, candidate);
          expect(bytes?.bytes).toBeLessThanOrEqual(single.bytes);
          if (single.time) expect(time?.time?.ns).toBeLessThanOrEqual(single.time.ns);
        }
      }),
    );
  });

  it('stays within a budget if any choice does, and is no slower than a single format within it', () => {
    fc.assert(
      fc.property(anyOptions, fc.integer({ min: 1, max: 100_000 }), (matrices, budget) => {
        const fewestBytes = chooseFormats(matrices, 'bytes')?.bytes ?? 0;
        const choice = chooseFormats(matrices, 'time', budget);
        expect(choice === null).toBe(fewestBytes > budget);
        if (!choice) return;
        expect(choice.bytes).toBeLessThanOrEqual(budget);
        for (const candidate of ALL) {
          const single = totalsInOneFormat(matrices, candidate);
          if (single.time && single.bytes <= budget) expect(choice.time?.ns).toBeLessThanOrEqual(single.time.ns);
        }
      }),
    );
  });

  it('within a budget is close to the best of all combinations', () => {
    fc.assert(
      fc.property(
        anyOptions.filter((matrices) => matrices.length <= 3),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (matrices, share) => {
          const fewestBytes = chooseFormats(matrices, 'bytes')?.bytes ?? 0;
          const bytesOfFastest = chooseFormats(matrices, 'time')?.bytes ?? 0;
          const budget = fewestBytes + share * Math.max(0, bytesOfFastest - fewestBytes);
          const chosenNs = chooseFormats(matrices, 'time', budget)?.time?.ns ?? Infinity;
          const best = bestWithin(matrices, budget);
          // A choice by a price per byte differs from the best choice of fractions of formats by at most one matrix.
          const longestNs = Math.max(
            ...matrices.map(({ matrix, options }) =>
              Math.max(...options.map(({ time }) => (time?.ns ?? 0) * matrix.active)),
            ),
          );
          expect(chosenNs).toBeLessThanOrEqual(best + longestNs);
        },
      ),
    );
  });

  it('has the second best format by the same measure as runner-up', () => {
    fc.assert(
      fc.property(anyOptions, (matrices) => {
        for (const [i, { chosenOption, runnerUp }] of (chooseFormats(matrices, 'bytes')?.choices ?? []).entries()) {
          const sorted = matrices[i].options.map(({ bytes }) => bytes).toSorted((a, b) => a - b);
          expect([chosenOption.bytes, runnerUp?.bytes]).toEqual(
            sorted.slice(0, 2).concat(Array(2).fill(undefined)).slice(0, 2),
          );
        }
      }),
    );
  });
});

/** The least time of all combinations within a budget; Infinity if none has all times. */
function bestWithin(matrices: readonly MatrixOptions[], budget: number): number {
  const [first, ...otherMatrices] = matrices;
  if (!first) return budget >= 0 ? 0 : Infinity;
  return Math.min(
    ...first.options.map(({ bytes, time }) => {
      const remainingBytes = budget - bytes * first.matrix.count;
      return remainingBytes < 0 || !time
        ? Infinity
        : time.ns * first.matrix.active + bestWithin(otherMatrices, remainingBytes);
    }),
  );
}

it('the candidates are dense f16, every format in every type of value from the fewest bits on, and every pattern', () => {
  const titles = (minBits: number) => candidates(FORMATS, FORMATS[0], minBits).map(({ title }) => title);
  expect(titles(16).slice(0, 4)).toEqual(['dense', 'MACKO', 'SlideSparse 2:4', 'SlideSparse 4:6']);
  expect(new Set(ALL.map(keyOf)).size).toBe(ALL.length);
  expect(titles(4)).toEqual(expect.arrayContaining(['dense i8', 'dense i4', 'MACKO i4', 'SlideSparse 6:8 i8']));
});

it('a matrix that stays dense has one option, and no matrix has an option of a format that does not support it', () => {
  const matrix = {
    name: 'up',
    rows: 64,
    cols: 64,
    count: 1,
    active: 1,
    density: 0.75,
    placement: 'independent' as const,
    keptDense: false,
  };
  expect(matrixOptions({ ...matrix, keptDense: true }, ALL, []).options).toHaveLength(1);
  const titles = matrixOptions(matrix, ALL, []).options.map(({ candidate }) => candidate.title);
  expect(titles).toContain('MACKO');
  expect(titles).not.toContain('SlideSparse');
  expect(matrixOptions({ ...matrix, placement: 'even' }, ALL, []).options.length).toBeGreaterThan(titles.length);
});
