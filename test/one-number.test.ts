// @vitest-environment happy-dom
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { densityText } from '../src/core/text/rounded.ts';
import { threeDigits } from '../src/core/text/words.ts';
import { bytes, time } from '../src/kit/words/quantity.ts';
import { measuredRows } from '../src/pages/compare/rows/measured-rows.ts';
import { measuredWords } from '../src/pages/measure/answer/answer-words.ts';
import { SpeedChart } from '../src/pages/measure/answer/SpeedChart.tsx';
import { TimeBars } from '../src/pages/measure/answer/TimeBars.tsx';
import {
  choiceOfFormat,
  chosenPoint,
  fastestOfFormats,
  measuredPoints,
} from '../src/pages/measure/roofline/roof-points.ts';
import { roofText, roofSteps } from '../src/pages/measure/roofline/roof-words.ts';
import type { Device } from '../src/state/devices/device.ts';
import { drawnMarkup, tableIn } from './drawn-page.ts';
import { visibleText } from './markup.ts';
import { answerOf, questionsOf, recordedDevices, timedVariants } from './recorded-questions.ts';
import { cases } from './scheduled.ts';
import { plainText } from './text-rules.ts';

/*
 * One fact has one number: what the page writes of a pair of formats in the headline, the bars, the chart, the table and
 * the roofline is read from its text and compared, for every format and value type that was recorded.
 */

/** One in this many pairs of ways to store a matrix is drawn. */
const EVERY = cases(4, 1);
const UNITS = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 };
const plain = (text: string): string => text.replaceAll('\u202f', ' ');
const nsOf = (number: string, unit: string): number => Number(number) * UNITS[unit as keyof typeof UNITS];

/** The two times and the ratio, or the range, of an answer. */
function readHeadline(text: string) {
  const [, a, unitA, b, unitB, message] =
    / in ([\d.]+) (ns|µs|ms|s), .*? in ([\d.]+)(?: (ns|µs|ms|s))?(?:, in another run)?: (.*?)\.(?: |$)/.exec(text) ??
    [];
  const [, byBytes = null] = /it would be ([\d.]+) times as fast/.exec(text) ?? [];
  const [, times = null] = /^([\d.]+) times as fast/.exec(message ?? '') ?? [];
  return { a: nsOf(a, unitA), b: nsOf(b, unitB ?? unitA), times, byBytes, said: message };
}

it('headline, bars, chart, table and roofline of Measure show the same number for a pair of formats', () => {
  const types = new Set<string>();
  const met = { pairs: 0, ratios: 0, bytes: 0, charts: 0, roofs: 0 };
  const charts = new Set<string>();
  for (const device of recordedDevices.slice(0, cases(1, recordedDevices.length))) {
    const { roofs, name } = device;
    if (roofs === null) continue;
    const withMore = readingMore(device);
    for (const query of questionsOf(device)) {
      const ways = timedVariants(device.reports, query);
      const dense = ways.find(({ key, format }) => format.id === 'dense' && key.includes('f16'));
      for (const [i, a] of ways.entries()) {
        const valueType = String(a.stored.params.valueType);
        const isNew = !types.has(`${a.format.id} ${valueType}`);
        if (i % EVERY > 0 && !isNew) continue;
        for (const b of new Set([dense, ways[(i + 1) % ways.length]])) {
          if (b === undefined || b === a) continue;
          const measured = answerOf(query, device, a, b);
          const [ofA, ofB] = measured.sides;
          if (!ofA.timed || !ofB?.timed) continue;
          const where = `${name}, ${query.rows} x ${query.cols}, ${query.density}, ${query.tokens}: ${a.key}, ${b.key}`;
          const headline = plain(plainText(measuredWords(measured, device, null)));
          const output = readHeadline(headline);
          const times = [output.a, output.b].map((ns) => plain(time(ns)));
          met.pairs++;
          types.add(`${a.format.id} ${valueType}`);

          // A reader with a calculator.
          if (output.times !== null) {
            met.ratios++;
            expect(output.times, headline).toBe(threeDigits(output.b / output.a));
          }
          // Bars: both times, and bytes of the formats, for any kernel that ran.
          const bars = plain(visibleText(createElement(TimeBars, { measured, device, isRunning: false })));
          for (const text of times) expect(bars, where).toContain(text);
          const other = answerOf(query, withMore, a, b);
          expect(readHeadline(plain(plainText(measuredWords(other, withMore, null)))).byBytes, where).toBe(
            output.byBytes,
          );
          if (output.byBytes !== null) met.bytes++;
          if (ofA.matrixBytes !== null) {
            expect(bars, where).toContain(`about ${plain(bytes(ofA.matrixBytes))}`);
            const more = visibleText(createElement(TimeBars, { measured: other, device: withMore, isRunning: false }));
            expect(more, where).toContain('; this kernel reads ');
          }

          // Compare.
          const rows = measuredRows(device.reports, query, ways, { a, b }, roofs);
          const compared = [a, b].map(({ key }) => plain(time(rows.get(key)?.timed.row.medianNs ?? Number.NaN)));
          expect(compared, where).toEqual(times);

          // The chart and its table.
          const shape = `${query.rows} x ${query.cols}, ${query.tokens}, ${a.format.id} ${valueType}`;
          if (!charts.has(shape) && charts.size < cases(40, 400)) {
            charts.add(shape);
            const markup = drawnMarkup(createElement(SpeedChart, { measured, a: ofA, b: ofB, device }), 1000, {
              document: { source: { kind: 'file' } },
              session: { summary: { ...query, name: 'm', source: { kind: 'file', name: 'm' } } as never },
              isOpen: true,
            });
            const left = plain(densityText(query.density));
            const row = tableIn(plain(markup)).find(
              (cells) => cells[0] === left && cells[1] === times[0] && cells[2] === times[1],
            );
            const isOfOneRun = ofA.timed.report === ofB.timed.report;
            if (isOfOneRun) expect(row, `${where}: ${JSON.stringify(tableIn(plain(markup)))}`).toBeDefined();
            if (row && output.times !== null) {
              met.charts++;
              expect(row[3], where).toBe(`${output.times}×`);
              expect(row[4], where).toBe(output.byBytes === null ? '–' : `${output.byBytes}×`);
            }
          }

          // The roofline, of the same values.
          const matrix = { ...query, key: '', title: 'm' };
          const points = measuredPoints(device.reports, matrix, roofs, [ofA.timed.report, ofB.timed.report]);
          const isSet = ({ format, params }: (typeof points)[number]): boolean =>
            [a, b].every(
              (way) =>
                way.format.id !== format ||
                Object.entries(way.stored.params).every(
                  ([key, value]) => key === 'valueType' || (params[key] ?? value) === value,
                ),
            );
          const shown = fastestOfFormats(points, query.tokens, isSet);
          const point = chosenPoint(shown, choiceOfFormat(a.format.id, a.stored.params));
          const onRoof = chosenPoint(shown, 'dense');
          if (point === null || point.arithmetic !== 'f32') continue;
          met.roofs++;
          expect(point.params.valueType ?? 'f16', where).toBe(valueType);
          const steps = roofSteps(point, onRoof, matrix, roofs);
          expect(plain(steps.find(({ id }) => id === 'time')?.value ?? ''), where).toBe(times[0]);
          const context = { rooflineMatrix: matrix, device: { name, roofs }, isMeasured: true, titleOf: () => 'X' };
          const message = plainText(roofText(point, onRoof, context));
          if (b === dense && output.times !== null && point !== onRoof)
            expect(message, where).toContain(`${output.times} times as fast as dense.`);
        }
      }
    }
  }
  // Every kind was met, and every value type of every format that was recorded.
  expect(met.pairs).toBeGreaterThan(100);
  expect(met.ratios).toBeGreaterThan(80);
  expect(met.bytes).toBeGreaterThan(60);
  expect(met.charts).toBeGreaterThan(15);
  expect(met.roofs).toBeGreaterThan(80);
  for (const one of ['macko f16', 'macko i8', 'macko i4', 'dense i4', 'csr f16', 'bitmask i4'])
    expect(types).toContain(one);
});

/** The same device, as if its kernels had read more bytes than their formats have. */
function readingMore(device: Device): Device {
  const reports = device.reports.map((report) => ({
    ...report,
    rows: report.rows.map((row, i) => ({ ...row, bytes: (2 + (i % 2)) * row.bytes })),
  }));
  return { ...device, reports };
}
