import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { BenchRow } from '../../../core/report.ts';
import { blockParts, blockWords, DENSE_NAMES } from './block-parts.ts';
import { changingParams, gapsOf } from './sweep-gaps.ts';
import { blockReport, sweepReport } from '../../../../test/reports.ts';
import { paramSweepsOf } from '../../../kit/report/sweep-series.ts';
import { number, plainText, Read, times } from '../../../../test/text-rules.ts';

const RATIOS: readonly (readonly [nonZeros: number, whole: number, gate: number, upDown: number])[] = [
  [30, 2.7, 0.97, 40],
  [240, 2, 0.98, 6],
  [600, 0.8, 0.98, 1.5],
  [911, 0.6, 0.98, 0.7],
];
const reports = RATIOS.flatMap(([nonZeros, whole, gate, upDown]) => [
  blockReport('gate', nonZeros, gate),
  blockReport('up-down', nonZeros, upDown),
  blockReport('forward', nonZeros, whole),
]);
/** The text on the whole block, from its reports with these indices. */
const wordsOfReports = (...indices: readonly number[]): string => {
  const forward = reports.filter((r) => r.workload.operation === 'forward').filter((_, i) => indices.includes(i));
  const [whole] = blockParts(forward, forward[0]);
  return plainText(blockWords(whole.sweep, 'the dense pipeline', () => 'TwELL'));
};

describe('blockParts(reports, shown)', () => {
  it('finds the whole and its parts by rising non-zeros, whichever report is shown', () => {
    for (const visibleReport of reports) {
      const parts = blockParts(reports, visibleReport);
      expect(parts.map((part) => part.operation)).toEqual(['forward', 'gate', 'up-down']);
      expect(parts[0].sweep.axis).toMatchObject({ of: 'non-zeros', title: 'non-zeros per token' });
      expect(parts[0].sweep.series[0].points.flatMap((p) => [p.x, Number(p.ratio.toFixed(2))])).toEqual([
        30, 2.7, 240, 2, 600, 0.8,
      ]);
    }
  });
  it('limits the whole by the one dense product of three', () => {
    const [whole] = blockParts(reports, reports[0]);
    expect(whole.sweep.series[0].points[0].limit).toBeCloseTo(3 / (1 + 60 / 5632), 10);
  });
  it('omits single runs, and other operations', () => {
    expect(blockParts(reports.slice(0, 4), reports[0]).map((part) => part.operation)).toEqual(['gate']);
    const otherReports = [sweepReport(0.1, 2), sweepReport(0.5, 1)];
    expect(blockParts(otherReports, otherReports[0])).toEqual([]);
  });
});

describe('blockWords(whole, dense, titleOf)', () => {
  it('the words name the mean below which a format is faster, and by how much', () => {
    expect(wordsOfReports(0, 1, 2)).toMatch(
      /^TwELL is faster than the dense pipeline below \d+ non-zeros per token, and reaches 2\.70× at 30\.$/,
    );
  });
  it('the words state that a format is faster everywhere or nowhere', () => {
    expect(wordsOfReports(0, 1)).toContain(
      'at every point from 30 to 240 non-zeros per token, and reaches 2.70× at 30.',
    );
    const slowReports = [60, 120].map((n) => blockReport('forward', n, 0.9 - n / 1000));
    const [whole] = blockParts(slowReports, slowReports[0]);
    const words = blockWords(whole.sweep, 'the dense pipeline', () => 'TwELL');
    expect(plainText(words)).toMatch(
      /slower than the dense pipeline at every point .* comes closest with 0\.84× at 60/,
    );
  });
});

describe('texts of a sweep over non-zeros', () => {
  const MEANS = [8, 30, 120, 400];
  const reader = new Read();
  const RULE = '{name} is {verb} than {dense} {where}';
  /** The non-zeros at which a straight line between neighbours, both axes logarithmic, meets 1. */
  const crossingAt = (i: number, ratios: readonly number[]): number => {
    const t = Math.log(ratios[i - 1]) / Math.log(ratios[i - 1] / ratios[i]);
    return MEANS[i - 1] * (MEANS[i] / MEANS[i - 1]) ** t;
  };

  it.each(['forward', 'backward'] as const)('the words name the crossing of %s only if there is one', (pass) => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 30, max: 300 }), { minLength: 4, maxLength: 4 }), (percents) => {
        const passReports = MEANS.map((mean, i) => blockReport(pass, mean, percents[i] / 100));
        const [{ operation, sweep }] = blockParts(passReports, passReports[0]);
        // From the printed times.
        const printed = (rows: readonly BenchRow[], isDense: boolean): number =>
          Number(rows.find(({ format }) => (format === 'dense') === isDense)?.medianNs?.toPrecision(3));
        const ratios = passReports.map(({ rows }) => printed(rows, true) / printed(rows, false));
        const dense = DENSE_NAMES.get(operation) ?? '';
        const text = plainText(blockWords(sweep, dense, () => 'It'));
        const faster = ratios.filter((ratio) => ratio >= 1).length;
        const crossings = ratios.flatMap((ratio, i) => (i > 0 && ratio >= 1 !== ratios[i - 1] >= 1 ? [i] : []));
        const best = Math.max(...ratios);
        const facts = {
          name: 'It',
          verb: faster === 0 ? 'slower' : 'faster',
          dense: { forward: 'the dense pipeline', backward: 'the dense backward pass' }[pass],
          best: times(best),
          mean: number(MEANS[ratios.indexOf(best)]),
          turn: { ...number(crossings.length === 1 ? crossingAt(crossings[0], ratios) : 0), slack: 0.06 },
          first: number(8),
          last: number(400),
          faster: number(faster),
          points: number(4),
          side: ratios[0] >= 1 ? 'below' : 'above',
        } as const;
        const range = 'from {first} to {last} non-zeros per token';
        const where =
          crossings.length === 1
            ? '{side} {turn} non-zeros per token, and reaches {best}× at {mean}.'
            : faster === 0
              ? `at every point ${range}; it comes closest with {best}× at {mean}.`
              : `at ${faster === 4 ? 'every point' : '{faster} of {points} points'} ${range}, and reaches {best}× at {mean}.`;
        reader.sentence(text, RULE.replace('{where}', where), facts, `${pass} ${ratios.join(' ')}`);
        outcomes.add(`${crossings.length > 1 ? 'many' : crossings.length} ${Math.sign(faster)}`);
      }),
      { numRuns: 200, seed: 5 },
    );
    expect([...outcomes].toSorted()).toEqual(['0 0', '0 1', '1 1', 'many 1']);
  });
});

it('changingParams(series) finds where the fastest compression changes', () => {
  const [whole] = blockParts(reports, reports[0]);
  const changes = [30, 240, 600].map((mean, i) => ({ value: [8, 4, 2][i], from: mean, to: mean }));
  expect([...changingParams(whole.sweep.series[0])]).toEqual([['compression', changes]]);
});

it('gapsOf(sweep) names every point without a time, with each reason and its parameters', () => {
  const [whole] = blockParts(reports, reports[0]);
  const gaps = gapsOf(whole.sweep);
  expect(gaps.map(({ x, format }) => [x, format])).toEqual([[911, 'twell']]);
  expect(gaps[0].rejections.map(({ params }) => params?.compression)).toEqual([8, 4, 2]);
});

it('compressions of one report are a separate sweep', () => {
  expect(paramSweepsOf(reports[0]).map(({ axis }) => axis.name)).toEqual(['compression']);
});
