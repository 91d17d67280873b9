import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { completeRows, type MeasuredRow } from '../../core/bench/report-rows.ts';
import { Random } from '../../core/number/random.ts';
import type { BenchReport, BenchRow } from '../../core/report.ts';
import { unpackRecording } from '../../core/reports/recording.ts';
import { checkRecording } from '../../core/reports/recording-check.ts';
import { formats, referenceFormat } from '../../formats/catalog.ts';
import { DENSE_ROW, MACKO_ROW, REPORT } from '../../../test/reports.ts';
import { type Speed, speedFromTimes, speedMessage, speedText, singleRatio } from '../words/speed-of.ts';
import { threeDigits } from '../../core/text/words.ts';
import { time } from '../words/quantity.ts';
import { reportHeadline } from './report-headline.ts';
import { isReference, referenceOf, speedIn } from './report-view.ts';
import { recordedMatrices } from '../stage/RecordedTimesLoader.tsx';

const FOLDER = new URL('../../../public/recordings/', import.meta.url);
const SHIPPED = readdirSync(FOLDER)
  .filter((name) => name.includes('@'))
  .flatMap((name) => {
    const recording = checkRecording(name, JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')));
    return unpackRecording(recording).map((report, i) => ({ name: `${recording.id}, report ${i}`, report }));
  });

/** A report of two rows. The times of its rounds vary by a factor of up to e^spread, from 0.1 % to 7 by the seed. */
function randomReport(seed: number): BenchReport {
  const random = new Random(seed);
  const spread = [0.001, 0.02, 0.3, 2][seed % 4];
  const base = 10 ** (2 + 5 * random.uniform());
  const gain = Math.exp(2 * random.uniform() - 1);
  const rounds = 4 + random.below(40);
  const measured = [DENSE_ROW, MACKO_ROW].map((row, k): MeasuredRow => ({
    ...row,
    samplesNs: Array.from({ length: rounds }, () => (base / gain ** k) * Math.exp(spread * (2 * random.uniform() - 1))),
  }));
  return { ...REPORT, rows: completeRows(measured, null, 'dense') };
}

const RANDOM = Array.from({ length: 200 }, (_, seed) => ({ name: `seed ${seed}`, report: randomReport(seed) }));

/** Checks the ratios in a text next to two times whose quotient is `quotient`; null if they are correct. */
function faultOf(text: string, quotient: number): string | null {
  const found = [...text.matchAll(/\d[\d\u202f]*(?:\.\d+)?/g)].map(([number]) =>
    Number(number.replaceAll('\u202f', '')),
  );
  const [low, high = low] = found;
  if (found.length === 0 || found.length > 2) return `${text}: no ratio and no range`;
  // The last printed digit is rounded.
  const isWithin = (r: number, from: number, to: number): boolean =>
    r >= from * 0.994 - 0.005 && r <= to * 1.006 + 0.005;
  if (found.length === 2) return isWithin(quotient, low, high) ? null : `${text} leaves ${quotient} out`;
  if (!isWithin(quotient, low * 0.9, low * 1.11)) return `${text} next to ${quotient}`;
  return (low - 1) * (quotient - 1) < 0 && Math.abs(quotient - 1) > 0.005
    ? `${text} on the other side of ${quotient}`
    : null;
}

/** Every text of a report next to two times. */
function textsOf(report: BenchReport): readonly (readonly [text: string, quotient: number])[] {
  return report.rows.flatMap((row) => {
    const [speed, reference] = [speedIn(report, row), referenceOf(report, row)];
    if (speed === null || !reference || isReference(row)) return [];
    const quotient = (reference.medianNs ?? Number.NaN) / (row.medianNs ?? Number.NaN);
    const inHead = reportHeadline({ ...report, rows: [...new Set<BenchRow>([reference, row])] }, () => 'X')
      .filter(({ strong }) => strong)
      .map(({ text }) => text);
    return [speedText(speed), speedMessage(speed), ...inHead].map((text) => [text, quotient] as const);
  });
}

describe.each([
  ['the shipped recordings', SHIPPED, 600],
  ['200 random reports', RANDOM, 600],
])('every ratio of %s', (_, reports, atLeast) => {
  it('is the quotient of its two times, or a range that contains the quotient', () => {
    const texts = reports.flatMap(({ name, report }) => textsOf(report).map((item) => [name, ...item] as const));
    expect(texts.length).toBeGreaterThanOrEqual(atLeast);
    const faults = texts.flatMap(([name, text, quotient]) => {
      const fault = faultOf(text, quotient);
      return fault ? [`${name}: ${fault}`] : [];
    });
    expect(faults.slice(0, 5)).toEqual([]);
  });
});

it('some of the random reports have a single ratio, and others are too noisy for one', () => {
  const single = RANDOM.map(({ report }) => speedIn(report, report.rows[1])).map(
    (speed) => speed && singleRatio(speed),
  );
  expect(single.filter((ratio) => ratio === null).length).toBeGreaterThan(30);
  expect(single.filter((ratio) => ratio !== null).length).toBeGreaterThan(100);
});

it('a story shows no ratio that differs from the ratio of its two times', () => {
  const faults = SHIPPED.flatMap(({ name, report }) =>
    formats.flatMap((format) =>
      recordedMatrices([report], format, referenceFormat).flatMap(({ format: time, dense }) => {
        const fault = time && dense && faultOf(time.timesDense.toFixed(2), dense.ns / time.ns);
        return fault ? [`${name}, ${format.id}: ${fault}`] : [];
      }),
    ),
  );
  expect(faults).toEqual([]);
});

it.each<readonly [string, Speed, string, number | null]>([
  ['rounds that agree', { ratio: 1.76, rounds: { ratio: 1.77, p10: 1.75, p90: 1.8 } }, '1.76×', 1.76],
  ['times far from the rounds', { ratio: 49, rounds: { ratio: 22.1, p10: 12, p90: 40 } }, '12.0 to 49.0×', null],
  ['rounds on both sides of 1', { ratio: 1.1, rounds: { ratio: 1.12, p10: 0.8, p90: 1.5 } }, '0.80 to 1.50×', null],
  [
    'a middle half above 1',
    { ratio: 1.1, rounds: { ratio: 1.12, p10: 0.8, p90: 1.5, quartiles: [1.02, 1.3] } },
    '1.10×',
    1.1,
  ],
  ['two that are level', { ratio: 0.998, rounds: { ratio: 1.002, p10: 0.99, p90: 1.01 } }, '0.99 to 1.01×', 0.998],
  ['two runs', { ratio: 0.5, rounds: null }, '0.50×', 0.5],
])('the text of a speed with %s', (_, speed, text, single) => {
  expect(speedText(speed)).toBe(text);
  expect(singleRatio(speed)).toBe(single);
});

describe('speedFromTimes(ns, otherNs, rounds)', () => {
  it('returns the ratio of the times as they are printed', () => {
    const speed = speedFromTimes(16_951, 33_449, { ratio: 1.97, p10: 1.96, p90: 1.98 });
    expect([time(33_449), time(16_951), speedText(speed)]).toEqual(['33.4\u202fµs', '17.0\u202fµs', '1.96×']);
    expect(speedMessage(speed)).toBe('1.96 times as fast');
    // The first row of the README.
    expect(speedText(speedFromTimes(52_768, 70_016))).toBe('1.33×');
  });

  it('returns the quotient that a reader computes from the printed times, for 2000 random times and rounds', () => {
    const random = new Random(62);
    const printed = (ns: number): number => {
      const [number, unit] = time(ns).split('\u202f');
      return Number(number) * { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 }[unit as 'ns' | 'µs' | 'ms' | 's'];
    };
    for (let i = 0; i < 2000; i++) {
      const ns = 10 ** (2 + 5 * random.uniform());
      const other = ns * Math.exp(1 + random.uniform());
      const ratio = (other / ns) * (1 + 0.06 * (2 * random.uniform() - 1));
      const speed = speedFromTimes(ns, other, { ratio, p10: ratio, p90: ratio });
      expect(speedMessage(speed)).toBe(`${threeDigits(printed(other) / printed(ns))} times as fast`);
    }
  });
});
