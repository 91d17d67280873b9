// @vitest-environment happy-dom
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { RoofChart } from '../src/pages/measure/roofline/RoofChart.tsx';
import { isTimed, roofDevice } from '../src/pages/measure/roofline/use-roofline.ts';
import { readingsOf } from './chart-readings.ts';
import { drawnMarkup } from './drawn-page.ts';
import { recordedDevices } from './recorded-questions.ts';
import { DEVICES, rooflines } from './rooflines.ts';

/* The roofline chart: points and roofs are drawn at the positions of their numbers on the axes. */

const [device] = recordedDevices;

describe('the chart of the roofline', () => {
  it('has points and roofs at the positions of their rows and speeds', async () => {
    const read: string[] = [];
    const drawnKinds = new Set<string>();
    for (const roofline of rooflines()) {
      const { points, rooflineMatrix: matrix, choices, point, device: chartDevice } = roofline;
      // One chart of each device, with one token and with several, and for each arithmetic.
      const kind = `${chartDevice.id}, ${choices.tokens > 1 ? 'several tokens' : 'one'}, ${point?.arithmetic}`;
      if (point === null || matrix === null || drawnKinds.has(kind)) continue;
      drawnKinds.add(kind);
      const rows = points.map(({ id, flopPerByte, gflops, roofGflops }) => {
        const [x, y, roof] = [flopPerByte, gflops / 1000, roofGflops / 1000].map((value) => value.toPrecision(4));
        return `${id}: ${x} | ${y}, its roof ${roof}`;
      });
      const markup = drawnMarkup(createElement(RoofChart, { roofline }), 1000);
      const title = `${chartDevice.name}, ${matrix.title}, ${choices.tokens} tokens: ${point.id}`;
      read.push([title, ...rows, readingsOf(markup, { x: 'log', y: 'log' }, 'Point of ')].join('\n'));
    }
    await expect(`${read.join('\n\n')}\n`).toMatchFileSnapshot('../src/pages/measure/roofline/words/readings.txt');
  });

  it('states that a device was not timed if its roofs are drawn next to another device’s rows', () => {
    const [recorded] = DEVICES;
    const others = [{ ...device, id: 'this', roofs: null, isSoftware: true }, device];
    expect(others.map((requested) => isTimed(roofDevice(requested, [device]), requested))).toEqual([false, true]);
    expect(roofDevice(others[0], [device])).toMatchObject({ id: recorded.id, origin: 'recorded' });
  });
});
