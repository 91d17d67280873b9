// @vitest-environment happy-dom
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { RoofChart } from '../src/places/measure/roofline/RoofChart.tsx';
import { isTimed, roofDevice } from '../src/places/measure/roofline/roof-devices.ts';
import type { RoofPoint, Subject } from '../src/places/measure/roofline/roof-points.ts';
import type { Roofline } from '../src/places/measure/roofline/use-roofline.ts';
import type { Roofs } from '../src/theory/roofline/roofs.ts';
import { axesOf, type Drawn, drawnIn, type Reading } from './drawn-axes.ts';
import { drawnMarkup } from './drawn-page.ts';
import { recordedDevices } from './recorded-questions.ts';
import { DEVICES, NO_DENSE, rooflines, SIZES } from './rooflines.ts';

/* Points, roofs and trails of the roofline stand where the axes have the figures of their rows. */

const [device] = recordedDevices;
const rowsOf = device.reports.flatMap((report) => report.rows.map((row) => ({ row, report })));

/** What a measured point is of: the row of this matrix with its tokens and its time. */
function rowOf(point: RoofPoint, { nnz: many }: Subject) {
  const found = rowsOf.find(
    ({ row, report: { workload } }) =>
      workload.nnz === many &&
      (point.tokens === null || (workload.sizes?.tokens ?? 1) === point.tokens) &&
      row.kernel === point.kernel &&
      row.medianNs === point.measured?.ns &&
      JSON.stringify(row.params) === JSON.stringify(point.params),
  );
  if (!found) throw new Error(`${point.id}: found no row`);
  const { row, report } = found;
  const { nnz, rows, cols, sizes } = report.workload;
  const tokens = sizes?.tokens ?? 1;
  const useful = 2 * nnz * tokens;
  const done = row.multiplyAdds ?? (row.format === 'dense' ? rows * cols : nnz) * tokens;
  const kind = row.arithmetic ?? 'f32';
  return { row, report, tokens, useful, done, kind, nnz, rows, cols, ns: row.medianNs ?? 0 };
}

/** The time that the roofs allow. */
const allowed = (size: number, done: number, kind: string, { readGBps, peakGMAps }: Roofs): number =>
  Math.max(size / readGBps, kind in peakGMAps ? done / peakGMAps[kind] : 0);

/** Bytes, useful and done work, and time of any point, from its row or from the sizes above. */
function worked(point: RoofPoint, { subject, choices, device: { roofs } }: Roofline) {
  if (point.measured !== null) {
    const { row, useful, done, kind, ns: took } = rowOf(point, subject ?? NO_DENSE);
    const min = allowed(row.bytes, done, kind, roofs);
    return { size: row.bytes, useful, done, kind, min, took, predicted: min + roofs.dispatchNs };
  }
  const { rows, cols, nnz } = subject ?? NO_DENSE;
  const { tokens } = choices;
  const size = 4 * tokens * (rows + cols) + (point.format === 'dense' ? 2 * rows * cols : SIZES[point.format] * nnz);
  const done = (point.format === 'dense' ? rows * cols : nnz) * tokens;
  const min = allowed(size, done, 'f32', roofs);
  const ofRoofs = min + roofs.dispatchNs;
  return { size, useful: 2 * nnz * tokens, done, kind: 'f32', min, took: ofRoofs, predicted: ofRoofs };
}

/** Numbers that are the same but for rounding of the arithmetic. */
const expectSame = (found: number, expected: number, where: string): void =>
  expect(Math.abs(found / expected - 1), `${where}: found ${found}, expected ${expected}`).toBeLessThan(1e-6);

describe('the chart of the roofline', () => {
  it('has its points where their rows are, and its roofs where their speeds are', () => {
    let [drawings, roofs] = [0, 0];
    for (const roofline of rooflines()) {
      const { shown, subject, choices, point, device: by } = roofline;
      if (point === null || subject === null) continue;
      // Drawing takes a while: a third of all products, and those of another arithmetic.
      if ((point !== shown[0] || drawings++ % 3 > 0) && point.arithmetic === 'f32') continue;
      const where = `${by.id}, ${subject.title}, ${choices.tokens} tokens`;
      const markup = drawnMarkup(createElement(RoofChart, { roofline }), 1000);
      const drawn = drawnIn(markup);
      const { x, y } = axesOf(drawn, { x: 'log', y: 'log' });
      const lowest = Math.max(...drawn.filter(({ of }) => of.class === 'plot-grid').map(({ of }) => Number(of.y2)));

      // Each point by its button, and the line from it up to its roof.
      const buttons = [...markup.matchAll(/aria-label="Point of [^"]*" style="left: ([\d.]+)px; top: ([\d.]+)px;?"/g)];
      expect(buttons).toHaveLength(shown.length);
      const sorted = shown.toSorted((a, b) => a.flopPerByte - b.flopPerByte);
      for (const [i, [, px, py]] of buttons.entries()) {
        const its = worked(sorted[i], roofline);
        expectSame(x(Number(px)), its.useful / its.size, `${where}: x of ${i}`);
        const reached = its.useful / its.took / 1000;
        if (Number(py) < lowest - 24.5) expectSame(y(Number(py)), reached, `${where}: y of ${i}`);
        else expect(reached).toBeLessThanOrEqual(1.0001 * y(lowest - 24));
      }
      for (const { of } of drawn.filter((one) => one.tag === 'path' && one.of.class === 'roof-hang')) {
        const [, px, roof] = /^M[\d.]+ [\d.]+h8M([\d.]+) ([\d.]+)V/.exec(of.d) ?? [];
        if (px === undefined) continue;
        const roofsThere = shown
          .map((one) => worked(one, roofline))
          .filter((its) => Math.abs(x(Number(px)) / (its.useful / its.size) - 1) < 1e-6)
          .map((its) => Math.abs(y(Number(roof)) / (its.useful / its.min / 1000) - 1));
        expect(Math.min(...roofsThere), `${where}: the roof at ${px} px`).toBeLessThan(1e-6);
      }
      roofs += expectRoofs(drawn, roofline, y, where);
      expectTrails(drawn, roofline, { x, y }, where);
    }
    expect(roofs).toBeGreaterThan(20);
  });

  it('is of the device whose roofs are drawn: where another answers, that one was not timed', () => {
    const [recorded] = DEVICES;
    const others = [{ ...device, id: 'this', roofs: null, isSoftware: true }, device];
    expect(others.map((asked) => isTimed(roofDevice(asked, [device]), asked))).toEqual([false, true]);
    expect(roofDevice(others[0], [device])).toMatchObject({ id: recorded.id, by: 'recorded' });
  });
});

interface Readings {
  readonly x: Reading;
  readonly y: Reading;
}

/** The speeds along the roofs, and what is left of them for dense, each at its own height. */
function expectRoofs(drawn: readonly Drawn[], { device: { roofs }, subject }: Roofline, y: Reading, where: string) {
  const said = (start: string): Drawn | undefined => drawn.find(({ text }) => text.startsWith(start));
  const names = { f32: 'multiplies and adds', i8: 'dot products in i8', 'i8-matrix': 'matrices in i8' };
  const kinds = Object.entries(names).filter(([kind]) => kind in roofs.peakGMAps);
  for (const [kind, name] of kinds)
    expectSame(y(Number(said(name)?.of.y) + 7), (2 * roofs.peakGMAps[kind]) / 1000, `${where}: the roof of ${kind}`);
  const best = said('dense at best');
  if (best === undefined || subject === null) return kinds.length;
  const useful = subject.nnz / (subject.rows * subject.cols);
  expectSame(y(Number(best.of.y) - 16), (2 * roofs.peakGMAps.f32 * useful) / 1000, `${where}: dense at best`);
  return kinds.length + 1;
}

/** Where a format would move with more tokens, and where it was measured with them. */
function expectTrails(drawn: readonly Drawn[], roofline: Roofline, { x, y }: Readings, where: string): void {
  const { point, subject, choices, device: by, measured } = roofline;
  if (point === null || subject === null || point.tokens === null) return;
  const { size, done, useful, kind } = worked(point, roofline);
  const { tokens } = choices;
  const vectors = Math.min(size, 4 * point.tokens * (subject.rows + subject.cols));
  const trail = [1, 2, 4, 8, 16, 64, 256, 2048].map((many) => {
    const moved = size - vectors + (many / (point.tokens ?? 1)) * vectors;
    const flop = 2 * subject.nnz * many;
    return { many, at: flop / moved, reached: flop / allowed(moved, (flop * done) / useful, kind, by.roofs) / 1000 };
  });
  const circles = drawn.filter(({ of }) => of.class === 'roof-trail' && of.r === '3.5');
  const others = trail.filter(({ many }) => many !== tokens);
  expect(circles).toHaveLength(others.length);
  for (const [i, { of }] of circles.entries()) {
    expectSame(x(Number(of.cx)), others[i].at, `${where}: for ${others[i].many} tokens`);
    expectSame(y(Number(of.cy)), others[i].reached, `${where}: for ${others[i].many} tokens, flop`);
  }
  const leader = drawn.find(({ of }) => of.class === 'plot-leader');
  const named = drawn.find(({ text }) => / for .* tokens?,$/.test(text));
  if (leader && named) {
    const many = Number(/ for ([\d\u202f]+) tokens,$/.exec(named.text)?.[1].replaceAll('\u202f', ''));
    const there = others.find((one) => one.many === many);
    expectSame(x(Number(/^M([\d.]+)/.exec(leader.of.d)?.[1]) + 5), there?.at ?? 0, `${where}: ${named.text}`);
  }
  for (const { of, text } of drawn.filter((one) => one.of.class === 'roof-many' && /^\d+$/.test(one.text))) {
    const those = measured.map((one) => rowOf(one, subject)).filter((its) => its.tokens === Number(text));
    const off = those.map((its) => Math.abs(x(Number(of.x)) / (its.useful / its.row.bytes) - 1));
    expect(Math.min(...off), `${where}: measured for ${text} tokens`).toBeLessThan(1e-6);
  }
}
