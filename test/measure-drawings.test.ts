// @vitest-environment happy-dom
import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { BenchReport } from '../src/core/report.ts';
import { SpeedChart } from '../src/places/measure/answer/SpeedChart.tsx';
import type { Device } from '../src/state/devices/device.ts';
import { axesOf, drawnIn } from './drawn-axes.ts';
import { drawnMarkup, tableIn } from './drawn-page.ts';
import { answerOf, questionsOf, recordedDevices, waysIn } from './recorded-questions.ts';
import { type Facts, ns, percent, Read, times } from './sentences.ts';
import { cases } from './scheduled.ts';

/*
 * Measure's chart: dots stand where the axes have their figures, the line where the bytes are. That the speeds are those of the
 * rows of a recording is of src/places/measure/folds/times.test.ts and test/one-time.test.ts.
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

const same = (found: number, expected: number, where: string, share = 1e-5): void =>
  expect(Math.abs(found / expected - 1), `${where}: found ${found}, expected ${expected}`).toBeLessThan(share);

/** Bytes by hand of a matrix in these formats, and what its product reads and writes at least. */
const BYTES: Readonly<Record<string, (rows: number, cols: number, nnz: number) => number>> = {
  dense: (rows, cols) => 2 * rows * cols,
  csr: (rows, cols, nnz) => (cols > 65_536 ? 6 : 4) * nnz + 4 * (rows + 1),
  bitmask: (rows, cols, nnz) => 2 * nnz + 4 * Math.ceil(cols / 32) * rows + 4 * (rows + 1),
};

/** Of the ways to store a matrix, one in so many is drawn. */
const EVERY = cases(9, 1);

it('the speeds of A against B are drawn where rows and bytes have them, said and listed', () => {
  const read = new Read();
  let byHand = 0;
  let names = 0;
  for (const device of DEVICES) {
    const software = device.isSoftware ? ', software' : '';
    const seen = new Set<string>();
    for (const asked of questionsOf(device)) {
      const { rows, cols, tokens, isEven } = asked;
      const shape = `${rows} x ${cols}, ${tokens} tokens, ${String(isEven)}`;
      if (seen.has(shape)) continue;
      seen.add(shape);
      const ways = waysIn(device.reports, asked);
      for (const [i, a] of ways.entries()) {
        if (i % EVERY > 0) continue;
        const b = ways[(i + 1) % ways.length];
        const measured = answerOf(asked, device, a, b);
        const [ofA, ofB] = measured.sides;
        if (ofB === undefined) continue;
        const where = `${shape}, ${a.key}, ${b.key}${software}`;
        const markup = drawnMarkup(createElement(SpeedChart, { measured, a: ofA, b: ofB, device }), 1000, {
          document: { source: { kind: 'file' } },
          session: { summary: { ...asked, name: 'm', source: { kind: 'file', name: 'm' } } as never },
          isOpen: true,
        });
        const drawn = drawnIn(markup);
        const { x, y } = axesOf(drawn, { x: 'linear', y: 'log' });

        const dots = drawn
          .filter(({ of }) => of.class === 'series-dots')
          .flatMap(({ of }) => [...of.d.matchAll(/M(-?[\d.]+) (-?[\d.]+)h0/g)])
          .map(([, px, py]) => ({ left: x(Number(px)) / 100, ratio: y(Number(py)) }));
        const [, ...lines] = tableIn(markup);
        expect(lines.length, where).toBe(dots.length);
        const facts: Record<string, Facts[string]> = { a: ofA.name, b: ofB.name };
        expect(dots, where).toHaveLength(measured.points.length);
        for (const [k, { left, ratio }] of dots.entries()) {
          const point = measured.points[k];
          same(left, point.density, where);
          same(ratio, point.ratio, where);
          facts[`ratio${k}`] = times(point.ratio);
          facts[`left${k}`] = { ...percent(point.density), digits: 1 };
          const cells = {
            left: facts[`left${k}`],
            a: ns(point.aNs),
            b: ns(point.bNs),
            ratio: facts[`ratio${k}`],
            byBytes: times(point.byBytes),
          };
          read.sentence(
            lines[k].join(' | '),
            `{left} | {a}${software} | {b}${software} | {ratio}×${software} | {byBytes}×`,
            cells,
            where,
          );
        }
        const said = dots.map((_, k) => `{ratio${k}}×${software} at {left${k}} left`).join(', ');
        const spoken = /role="img" aria-label="([^"]*)"/.exec(markup)?.[1] ?? '';
        const rule = `{a} against {b} by what is left: ${said === '' ? 'not measured on this shape' : said}.`;
        read.sentence(spoken, rule, facts, where);

        // The dot beside which a figure stands is the nearest to what is left now.
        const beside = drawn.find(({ of }) => of.class?.includes('measure-ratio'));
        const [nearest] = dots.toSorted((p, q) => Math.abs(p.left - asked.density) - Math.abs(q.left - asked.density));
        expect(beside !== undefined, where).toBe(nearest !== undefined);
        if (beside && nearest) {
          const k = dots.indexOf(nearest);
          read.sentence(beside.text, `{ratio}×${software}`, { ratio: facts[`ratio${k}`] }, where);
        }
        const thumb = drawn.find(({ of }) => of.class === 'plot-thumb-text');
        read.sentence(thumb?.text ?? '', '{left}', { left: { ...percent(asked.density), digits: 1 } }, where);
        same(x(Number(thumb?.of.x)) / 100, asked.density, where);

        // No name lies on the line at 1×.
        for (const { text, of } of drawn.filter(({ text }) => text === 'by bytes alone' || text === ofB.name)) {
          const [above, below] = [y(Number(of.y) - 9), y(Number(of.y) + 3)];
          expect(above < 1 || below > 1, `${where}: ${text} from ${above} to ${below}`).toBe(true);
          names++;
        }

        const [line] = drawn.filter(({ of }) => of.class === 'series-line series-line--thin');
        const [bytesA, bytesB] = [BYTES[a.format.id], BYTES[b.format.id]];
        const isUsual = [a, b].every(({ stored }) => stored.params.valueType === 'f16');
        if (!bytesA || !bytesB || !isUsual) continue;
        for (const [, px, py] of line.of.d.matchAll(/[MLC,](-?[\d.]+),(-?[\d.]+)(?=[LC]|$)/g)) {
          const nnz = (x(Number(px)) / 100) * rows * cols;
          const moved = tokens * (2 * Math.ceil(nnz / rows) + 4 * rows);
          same(y(Number(py)), (bytesB(rows, cols, nnz) + moved) / (bytesA(rows, cols, nnz) + moved), where, 0.003);
          byHand++;
        }
      }
    }
  }
  expect(byHand).toBeGreaterThan(100);
  expect(names).toBeGreaterThan(30);
  expect(read.met('{left} | {a} | {b} | {ratio}× | {byBytes}×')).toBeGreaterThan(20);
  expect(read.met('{ratio}×, software')).toBeGreaterThan(3);
});
