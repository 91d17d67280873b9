// @vitest-environment happy-dom
import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { BenchReport } from '../src/core/report.ts';
import { SpeedChart } from '../src/pages/measure/answer/SpeedChart.tsx';
import type { Device } from '../src/state/devices/device.ts';
import { readingsOf } from './chart-readings.ts';
import { axesOf, drawnIn } from './drawn-axes.ts';
import { drawnMarkup, tableIn } from './drawn-page.ts';
import { answerOf, timedMatrices, recordedDevices, timedVariants } from './recorded-questions.ts';
import { cases } from './scheduled.ts';

/*
 * Measure's chart: the positions of dots and of the line of bytes, read back as numbers of the axes, equal the measured
 * speeds. src/pages/measure/details/times.test.ts and test/one-time.test.ts compare these speeds with the recordings.
 */

const [recorded] = recordedDevices;
const inSoftware = (report: BenchReport): BenchReport => ({
  ...report,
  environment: { ...report.environment, isFallback: true },
});
const DEVICES: readonly Device[] = [
  recorded,
  { ...recorded, kind: 'this', isSoftware: true, roofs: null, reports: recorded.reports.map(inSoftware) },
];

/** One in this many of the timed variants of a matrix is drawn. */
const EVERY = cases(9, 1);

it('Measure draws and lists the speeds of A compared with B, and no name crosses the line at 1×', async () => {
  const snapshots = new Map<string, string>();
  let names = 0;
  for (const device of DEVICES) {
    const software = device.isSoftware ? ', software' : '';
    const seenShapes = new Set<string>();
    for (const query of timedMatrices(device)) {
      const { rows, cols, tokens, isEven } = query;
      const shape = `${rows} x ${cols}, ${tokens} tokens, ${String(isEven)}`;
      if (seenShapes.has(shape)) continue;
      seenShapes.add(shape);
      const variants = timedVariants(device.reports, query);
      for (const [i, a] of variants.entries()) {
        if (i % EVERY > 0) continue;
        const b = variants[(i + 1) % variants.length];
        const answer = answerOf(query, device, a, b);
        const [sideA, sideB] = answer.sides;
        if (sideB === undefined) continue;
        const where = `${shape}, ${a.key}, ${b.key}${software}`;
        const markup = drawnMarkup(
          createElement(SpeedChart, { measuredPair: answer, a: sideA, b: sideB, device }),
          1000,
          {
            document: { source: { kind: 'file' } },
            session: { summary: { ...query, name: 'm', source: { kind: 'file', name: 'm' } } as never },
            isOpen: true,
          },
        );
        const marks = drawnIn(markup);
        const { y } = axesOf(marks, { x: 'linear', y: 'log' });

        expect(tableIn(markup).length - 1, where).toBe(answer.points.length);
        // No name lies on the line at 1×.
        for (const { text, attributes } of marks.filter(
          ({ text }) => text === 'by bytes alone' || text === sideB.name,
        )) {
          const [above, below] = [y(Number(attributes.y) - 9), y(Number(attributes.y) + 3)];
          expect(above < 1 || below > 1, `${where}: ${text} from ${above} to ${below}`).toBe(true);
          names++;
        }
        // The snapshot has one chart of each device, with at least four timed points.
        if (answer.points.length < 4 || snapshots.has(device.kind)) continue;
        snapshots.set(device.kind, `${where}\n${readingsOf(markup, { x: 'linear', y: 'log' })}\n`);
      }
    }
  }
  expect(names).toBeGreaterThan(30);
  await expect([...snapshots.values()].join('\n')).toMatchFileSnapshot(
    '../src/pages/measure/answer/words/readings.txt',
  );
});
