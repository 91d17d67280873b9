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
import { answerOf, timedMatrices, recordedDevices, timedVariants } from './recorded-questions.ts';
import { cases } from './scheduled.ts';
import { plainText } from './text-rules.ts';

/*
 * Measure and Compare show the same numbers everywhere: the times and ratios of a pair of formats are read from the texts of
 * the headline, the bars, the chart, the table and the roofline, and compared, for every recorded format and value type.
 */

/** One in this many pairs of formats with parameters is drawn. */
const DRAWN_EVERY = cases(4, 1);
/** Nanoseconds of each unit. */
const UNITS = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 };
const withPlainSpaces = (text: string): string => text.replaceAll('\u202f', ' ');
const nsOf = (number: string, unit: string): number => Number(number) * UNITS[unit as keyof typeof UNITS];

/** The two times in ns and the ratios in a headline, as texts; null for a ratio that it does not state. */
function readHeadline(text: string) {
  const [, a, unitA, b, unitB, message] =
    / in ([\d.]+) (ns|µs|ms|s), .*? in ([\d.]+)(?: (ns|µs|ms|s))?(?:, in another run)?: (.*?)\.(?: |$)/.exec(text) ??
    [];
  const [, byBytes = null] = /it would be ([\d.]+) times as fast/.exec(text) ?? [];
  const [, times = null] = /^([\d.]+) times as fast/.exec(message ?? '') ?? [];
  return { a: nsOf(a, unitA), b: nsOf(b, unitB ?? unitA), times, byBytes };
}

it('headline, bars, chart, table and roofline of Measure show the same number for a pair of formats', () => {
  const types = new Set<string>();
  const counts = { pairs: 0, ratios: 0, bytes: 0, charts: 0, roofs: 0 };
  const charts = new Set<string>();
  for (const device of recordedDevices.slice(0, cases(1, recordedDevices.length))) {
    const { roofs, name } = device;
    if (roofs === null) continue;
    const deviceReadingMore = readingMore(device);
    for (const query of timedMatrices(device)) {
      const variants = timedVariants(device.reports, query);
      const dense = variants.find(({ key, format }) => format.id === 'dense' && key.includes('f16'));
      for (const [i, a] of variants.entries()) {
        const valueType = String(a.stored.params.valueType);
        const isNew = !types.has(`${a.format.id} ${valueType}`);
        if (i % DRAWN_EVERY > 0 && !isNew) continue;
        for (const b of new Set([dense, variants[(i + 1) % variants.length]])) {
          if (b === undefined || b === a) continue;
          const answer = answerOf(query, device, a, b);
          const [sideA, sideB] = answer.sides;
          if (!sideA.timedRow || !sideB?.timedRow) continue;
          const where = `${name}, ${query.rows} x ${query.cols}, ${query.density}, ${query.tokens}: ${a.key}, ${b.key}`;
          const headline = withPlainSpaces(plainText(measuredWords(answer, device, null)));
          const headlineNumbers = readHeadline(headline);
          const times = [headlineNumbers.a, headlineNumbers.b].map((ns) => withPlainSpaces(time(ns)));
          counts.pairs++;
          types.add(`${a.format.id} ${valueType}`);

          // The ratio is the quotient of the two times as printed.
          if (headlineNumbers.times !== null) {
            counts.ratios++;
            expect(headlineNumbers.times, headline).toBe(threeDigits(headlineNumbers.b / headlineNumbers.a));
          }
          // The bars show both times and the bytes of the format. The bytes, and the ratio by bytes, are the same for kernels that
          // read more bytes than the format has.
          const bars = withPlainSpaces(
            visibleText(createElement(TimeBars, { measuredPair: answer, device, isRunning: false })),
          );
          for (const text of times) expect(bars, where).toContain(text);
          const answerReadingMore = answerOf(query, deviceReadingMore, a, b);
          expect(
            readHeadline(withPlainSpaces(plainText(measuredWords(answerReadingMore, deviceReadingMore, null)))).byBytes,
            where,
          ).toBe(headlineNumbers.byBytes);
          if (headlineNumbers.byBytes !== null) counts.bytes++;
          if (sideA.matrixBytes !== null) {
            expect(bars, where).toContain(`about ${withPlainSpaces(bytes(sideA.matrixBytes))}`);
            const barsReadingMore = visibleText(
              createElement(TimeBars, { measuredPair: answerReadingMore, device: deviceReadingMore, isRunning: false }),
            );
            expect(barsReadingMore, where).toContain('; this kernel reads ');
          }

          // Compare's table shows the same times.
          const rows = measuredRows(device.reports, query, variants, { a, b }, roofs);
          const tableTimes = [a, b].map(({ key }) =>
            withPlainSpaces(time(rows.get(key)?.timedRow.row.medianNs ?? Number.NaN)),
          );
          expect(tableTimes, where).toEqual(times);

          // The table of the chart has a row with the same times and ratios.
          const shape = `${query.rows} x ${query.cols}, ${query.tokens}, ${a.format.id} ${valueType}`;
          if (!charts.has(shape) && charts.size < cases(40, 400)) {
            charts.add(shape);
            const markup = drawnMarkup(
              createElement(SpeedChart, { measuredPair: answer, a: sideA, b: sideB, device }),
              1000,
              {
                document: { source: { kind: 'file' } },
                session: { summary: { ...query, name: 'm', source: { kind: 'file', name: 'm' } } as never },
                isOpen: true,
              },
            );
            const densityCell = withPlainSpaces(densityText(query.density));
            const row = tableIn(withPlainSpaces(markup)).find(
              (cells) => cells[0] === densityCell && cells[1] === times[0] && cells[2] === times[1],
            );
            const isOfOneRun = sideA.timedRow.report === sideB.timedRow.report;
            if (isOfOneRun) expect(row, `${where}: ${JSON.stringify(tableIn(withPlainSpaces(markup)))}`).toBeDefined();
            if (row && headlineNumbers.times !== null) {
              counts.charts++;
              expect(row[3], where).toBe(`${headlineNumbers.times}×`);
              expect(row[4], where).toBe(headlineNumbers.byBytes === null ? '–' : `${headlineNumbers.byBytes}×`);
            }
          }

          // The roofline shows the same time and ratio, with the same value types.
          const matrix = { ...query, key: '', title: 'm' };
          const points = measuredPoints(device.reports, matrix, roofs, [sideA.timedRow.report, sideB.timedRow.report]);
          const hasParamsOfPair = ({ format, params }: (typeof points)[number]): boolean =>
            [a, b].every(
              (variant) =>
                variant.format.id !== format ||
                Object.entries(variant.stored.params).every(
                  ([key, value]) => key === 'valueType' || (params[key] ?? value) === value,
                ),
            );
          const roofPoints = fastestOfFormats(points, query.tokens, hasParamsOfPair);
          const point = chosenPoint(roofPoints, choiceOfFormat(a.format.id, a.stored.params));
          const densePoint = chosenPoint(roofPoints, 'dense');
          if (point === null || point.arithmetic !== 'f32') continue;
          counts.roofs++;
          expect(point.params.valueType ?? 'f16', where).toBe(valueType);
          const steps = roofSteps(point, densePoint, matrix, roofs);
          expect(withPlainSpaces(steps.find(({ id }) => id === 'time')?.value ?? ''), where).toBe(times[0]);
          const context = { rooflineMatrix: matrix, device: { name, roofs }, isMeasured: true, titleOf: () => 'X' };
          const message = plainText(roofText(point, densePoint, context));
          if (b === dense && headlineNumbers.times !== null && point !== densePoint)
            expect(message, where).toContain(`${headlineNumbers.times} times as fast as dense.`);
        }
      }
    }
  }
  // Enough pairs of each kind were compared, among them these formats with these value types.
  expect(counts.pairs).toBeGreaterThan(100);
  expect(counts.ratios).toBeGreaterThan(80);
  expect(counts.bytes).toBeGreaterThan(60);
  expect(counts.charts).toBeGreaterThan(15);
  expect(counts.roofs).toBeGreaterThan(80);
  for (const type of ['macko f16', 'macko i8', 'macko i4', 'dense i4', 'csr f16', 'bitmask i4'])
    expect(types).toContain(type);
});

/** The same device, as if its kernels read two or three times as many bytes as their formats have. */
function readingMore(device: Device): Device {
  const reports = device.reports.map((report) => ({
    ...report,
    rows: report.rows.map((row, i) => ({ ...row, bytes: (2 + (i % 2)) * row.bytes })),
  }));
  return { ...device, reports };
}
