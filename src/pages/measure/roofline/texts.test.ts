// @vitest-environment happy-dom
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { drawnIn } from '../../../../test/drawn-axes.ts';
import { drawnMarkup } from '../../../../test/drawn-page.ts';
import { visibleText } from '../../../../test/markup.ts';
import { recordedDevices } from '../../../../test/recorded-questions.ts';
import { rooflines } from '../../../../test/rooflines.ts';
import { plainText } from '../../../../test/text-rules.ts';
import { type Statement, wordings } from '../../../../test/wordings.ts';
import { formats } from '../../../formats/catalog.ts';
import { RoofChart, roofFigures } from './RoofChart.tsx';
import { choiceOf, measuredPoints, predictedPoint, rooflineMatrices } from './roof-points.ts';
import { roofText, roofSteps } from './roof-words.ts';
import { RoofSteps, TimeBar } from './RooflineDetails.tsx';
import { RoofSide } from './RoofSide.tsx';

const [device] = recordedDevices;
const titleOf = (id: string): string => formats.find((format) => format.id === id)?.title ?? id;

/** Roofs of the device; one with slow arithmetic, which is then the limit; one with only a known read speed. */
const ROOFS = [
  device.roofs ?? { readGBps: 1, peakGMAps: {}, dispatchNs: 0 },
  { readGBps: 4500, peakGMAps: { f32: 900, i8: 1800, 'i8-matrix': 3600 }, dispatchNs: 1500 },
  { readGBps: 4500, peakGMAps: {}, dispatchNs: 0 },
];

/** Every recorded product, with dense from the same report. */
function* products(): Generator<Statement> {
  for (const roofs of ROOFS)
    for (const report of device.reports) {
      if (!['spmv', 'gemm'].includes(report.workload.operation)) continue;
      const [rooflineMatrix] = rooflineMatrices([report]);
      const points = measuredPoints([report], rooflineMatrix, roofs);
      const dense = points.find((point) => choiceOf(point) === 'dense');
      if (!dense) continue;
      const context = {
        rooflineMatrix,
        device: { name: device.name, roofs },
        isMeasured: true,
        titleOf,
      };
      for (const point of points) {
        yield ['', plainText(roofText(point, dense, context))];
        for (const { id, value, formula, meaning } of roofSteps(point, dense, rooflineMatrix, roofs))
          yield [id, `${value}: ${formula}. ${meaning}`];
        // The same matrix and bytes without any times.
        if (point.arithmetic !== 'f32') continue;
        const { format, params } = point;
        const size = {
          matrixBytes: point.bytes - point.vectorBytes,
          isCounted: true,
          multiplyAdds: rooflineMatrix.nnz,
        };
        const expected = { format, params, ...size };
        const predicted = predictedPoint(expected, rooflineMatrix, point.tokens ?? 1, roofs);
        for (const isMeasured of [false, true])
          yield ['', plainText(roofText(predicted, dense, { ...context, isMeasured }))];
      }
    }
}

/** The texts in the chart and next to it. */
function* charts(): Generator<Statement> {
  const drawn = new Set<string>();
  for (const roofline of rooflines()) {
    const { point, dense, rooflineMatrix, points, measured, device: roofDevice } = roofline;
    if (point === null || rooflineMatrix === null || (point !== points[0] && point.arithmetic === 'f32')) continue;
    yield ['why', visibleText(createElement(RoofSteps, { roofline })).split('\n')[0]];
    if (point.measured) yield ['bar', visibleText(createElement(TimeBar, { point, dense }))];
    for (const { name, cells } of roofFigures([...new Set([...points, ...measured])], titleOf).rows)
      yield ['table', `${name.replaceAll(/\w+\/\w+/g, '“$&”')} | ${cells.join(' | ')}`];
    const step = roofSteps(point, dense, rooflineMatrix, roofDevice.roofs).find(({ id }) => id === 'against');
    if (step) yield ['chosen', `${step.value}: ${step.formula}`];
    // Drawing is slow, so only the first chart of each device and of each arithmetic is drawn.
    const kind = `${roofDevice.id} ${point.arithmetic}`;
    if (drawn.has(kind)) continue;
    drawn.add(kind);
    yield [kind, visibleText(createElement(RoofSide, { roofline }))];
    const markup = drawnMarkup(createElement(RoofChart, { roofline }), 1000);
    for (const [, label] of markup.matchAll(/aria-label="([^"]*)"/g)) yield ['label', label];
    for (const { tag, text } of drawnIn(markup)) if (tag === 'text') yield ['text', text];
  }
}

it.each(Object.entries({ products, charts }))(
  'the texts of rooflines are those of the snapshot: %s',
  async (name, output) => {
    const names = formats.map(({ title }) => title);
    await expect(wordings(output(), names)).toMatchFileSnapshot(`words/${name}.txt`);
  },
);
