// @vitest-environment happy-dom
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { formats } from '../src/formats/catalog.ts';
import { RoofChart, roofFigures } from '../src/places/measure/roofline/RoofChart.tsx';
import { isTimed, type RoofDevice, roofDevice } from '../src/places/measure/roofline/roof-devices.ts';
import {
  choiceOf,
  fastestOfFormats,
  measuredPoints,
  predictedPoint,
  type RoofPoint,
  type Subject,
  subjectsOf,
} from '../src/places/measure/roofline/roof-points.ts';
import { roofSentence, stepsOf } from '../src/places/measure/roofline/roof-words.ts';
import { RoofSteps, TimeBar } from '../src/places/measure/roofline/RooflineFold.tsx';
import { RoofSide } from '../src/places/measure/roofline/RoofSide.tsx';
import type { Roofline } from '../src/places/measure/roofline/use-roofline.ts';
import { PUBLISHED_DEVICES, roofsOf } from '../src/theory/roofline/devices.ts';
import type { Roofs } from '../src/theory/roofline/roofs.ts';
import { axesOf, type Drawn, drawnIn, type Reading } from './drawn-axes.ts';
import { drawnMarkup } from './drawn-page.ts';
import { shownText } from './markup.ts';
import { recordedDevices } from './recorded-questions.ts';
import {
  type Facts,
  flop,
  intensity,
  ns,
  number,
  type NumberFact,
  percent,
  plainText,
  rate,
  Read,
  times,
  work,
} from './sentences.ts';

/*
 * The law for sentences, for what stands in and beside the chart of the roofline: points stand where the axes say that their
 * rows are, and each label has the figures of its own row and roof.
 */

const [device] = recordedDevices;
const titleOf = (id: string): string => formats.find((format) => format.id === id)?.title ?? id;
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

const [card, sheet] = PUBLISHED_DEVICES;
const DEVICES: readonly RoofDevice[] = [
  { id: device.id, name: device.name, roofs: device.roofs ?? roofsOf(card), by: 'recorded', source: 'a recording' },
  { id: card.id, name: card.name, roofs: roofsOf(card), by: card.by, source: 'a page' },
  { id: sheet.id, name: sheet.name, roofs: roofsOf(sheet), by: sheet.by, source: 'a paper' },
  { id: 'typed', name: 'A card', roofs: { readGBps: 900, peakGMAps: {}, dispatchNs: 0 }, by: 'typed', source: '' },
  {
    id: 'slow',
    name: 'Slow',
    roofs: { readGBps: 900, peakGMAps: { f32: 40 }, dispatchNs: 900 },
    by: 'report',
    source: '',
  },
];

const NO_DENSE = { rows: 16, cols: 24, nnz: 50, key: '', title: 'tiny' };

/** A roofline of each device, matrix and number of tokens: measured where the device has times, else predicted. */
function* rooflines(): Generator<Roofline> {
  const subjects = subjectsOf(device.reports);
  for (const by of DEVICES) {
    const isTimed = by.id === device.id;
    for (const subject of isTimed ? subjects : [...subjects.slice(0, 6), NO_DENSE]) {
      const measured = isTimed ? measuredPoints(device.reports, subject, by.roofs) : [];
      const stops = isTimed ? [...new Set(measured.flatMap(({ tokens }) => tokens ?? []))] : [1, 16];
      for (const tokens of stops) {
        const shown = fastestOfFormats([...measured, ...(isTimed ? [] : predicted(subject, tokens, by.roofs))], tokens);
        const ofDense = shown.filter(({ format, tokens: its }) => format === 'dense' && its !== null);
        const dense = ofDense.find((point) => choiceOf(point) === 'dense') ?? ofDense[0] ?? null;
        // The fastest, the slowest, dense, and one with arithmetic of its own.
        const apart = shown.find((one) => one.arithmetic !== 'f32');
        const chosen = [shown[0], shown[shown.length - 1], dense, apart].filter((one) => one != null);
        for (const point of new Set(chosen)) {
          const choices = { tokens, matrix: '', format: '' };
          const on = { device } as Roofline['on'];
          const fixed = { on, choose: () => {}, stops, refused: ['ell', 'csr'] };
          yield { ...fixed, choices, subjects, subject, device: by, measured, shown, point, dense };
        }
      }
    }
  }
}

const SIZES: Readonly<Record<string, number>> = { macko: 3, csr: 6 };

function predicted(subject: Subject, tokens: number, roofs: Roofs): readonly RoofPoint[] {
  const { rows, cols, nnz } = subject;
  const of = (format: string, matrixBytes: number, multiplyAdds: number): RoofPoint =>
    predictedPoint({ format, params: {}, matrixBytes, counted: false, multiplyAdds }, subject, tokens, roofs);
  return [
    of('macko', SIZES.macko * nnz, nnz),
    of('csr', SIZES.csr * nnz, nnz),
    of('dense', 2 * rows * cols, rows * cols),
  ];
}

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

/** Below a nanosecond a time has three decimals at most. */
const shortNs = (value: number): NumberFact => ({ ...ns(value), digits: value < 1 ? 1 : 3 });

/** Numbers that are the same but for rounding of the arithmetic. */
const expectSame = (found: number, expected: number, where: string): void =>
  expect(Math.abs(found / expected - 1), `${where}: found ${found}, expected ${expected}`).toBeLessThan(1e-6);

describe('the chart of the roofline', () => {
  it('has its points where their rows are, and every label has the figures of its own', () => {
    const read = new Read();
    let subjectOfTable: Subject | null = null;
    let drawings = 0;
    for (const roofline of rooflines()) {
      const { shown, measured, subject, choices, point, device: by } = roofline;
      if (point === null || subject === null) continue;
      // Drawing takes a while: a third of all products, and those of another arithmetic.
      if ((point !== shown[0] || drawings++ % 3 > 0) && point.arithmetic === 'f32') continue;
      const where = `${by.id}, ${subject.title}, ${choices.tokens} tokens`;
      const markup = drawnMarkup(createElement(RoofChart, { roofline }), 1000);
      const drawn = drawnIn(markup);
      const { x, y } = axesOf(drawn, { x: 'log', y: 'log' });
      const lowest = Math.max(...drawn.filter(({ of }) => of.class === 'plot-grid').map(({ of }) => Number(of.y2)));

      const own = worked(point, roofline);
      read.sentence(
        /aria-label="([^"]*)"/.exec(markup)?.[1] ?? '',
        `{title} does {intensity} flop per byte and ${point.measured ? 'reaches' : 'would reach'} {reached} of the {roof} that the roof allows.`,
        {
          title: `${titleOf(point.format)}${apart(point)}`,
          intensity: number(own.useful / own.size, 2),
          reached: { ...work(own.useful / own.took), digits: 2 },
          roof: { ...work(own.useful / own.min), digits: 2 },
        },
        where,
      );

      // Each point by its button, and the line from it up to its roof.
      const buttons = [
        ...markup.matchAll(/aria-label="Point of ([^"]*)" style="left: ([\d.]+)px; top: ([\d.]+)px;?"/g),
      ];
      expect(buttons).toHaveLength(shown.length);
      const sorted = shown.toSorted((a, b) => a.flopPerByte - b.flopPerByte);
      for (const [i, [, words, px, py]] of buttons.entries()) {
        const its = worked(sorted[i], roofline);
        expectSame(x(Number(px)), its.useful / its.size, `${where}: x of ${words}`);
        const reached = its.useful / its.took / 1000;
        if (Number(py) < lowest - 24.5) expectSame(y(Number(py)), reached, `${where}: y of ${words}`);
        else expect(reached).toBeLessThanOrEqual(1.0001 * y(lowest - 24));
        const share = { ...percent(its.min / its.took), digits: 1 };
        const title = `${titleOf(sorted[i].format)}${apart(sorted[i])}`;
        const rule = sorted[i].measured ? '{title}, {share} of its roof' : '{title}, predicted';
        read.sentence(words, rule, { title, share }, where);
      }
      const hanging = drawn.filter(({ tag, of }) => tag === 'path' && of.class === 'roof-hang');
      for (const { of } of hanging) {
        const [, px, roof] = /^M[\d.]+ [\d.]+h8M([\d.]+) ([\d.]+)V/.exec(of.d) ?? [];
        if (px === undefined) continue;
        const roofsThere = shown
          .map((one) => worked(one, roofline))
          .filter((its) => Math.abs(x(Number(px)) / (its.useful / its.size) - 1) < 1e-6)
          .map((its) => Math.abs(y(Number(roof)) / (its.useful / its.min / 1000) - 1));
        expect(Math.min(...roofsThere), `${where}: the roof at ${px} px`).toBeLessThan(1e-6);
      }
      const labels = drawn.filter(({ text }) => / (?:predicted|<?\d+\u202f%)$/.test(text));
      for (const { text } of labels) {
        const those = sorted.filter((one) => text.startsWith(`${titleOf(one.format)}${apart(one)} `));
        const fitting = those.filter((one) => {
          const its = worked(one, roofline);
          const share = (100 * its.min) / its.took;
          return text.endsWith(one.measured ? ` ${share < 0.5 ? '<1' : share.toFixed(0)}\u202f%` : ' predicted');
        });
        expect(fitting.length, `${where}: ${text}`).toBeGreaterThan(0);
      }

      expectRoofs(read, drawn, roofline, { x, y }, where);
      expectTrails(drawn, roofline, { x, y }, where);
      if (subject !== subjectOfTable) expectTable(read, roofline, [...new Set([...shown, ...measured])], where);
      subjectOfTable = subject;
    }
    expect(read.met('{title}, {share} of its roof')).toBeGreaterThan(50);
    expect(read.met('dense at best: {zeros} of its factors are zeros')).toBeGreaterThan(5);
  });
});

const SOURCES: Readonly<Record<RoofDevice['by'], string>> = {
  'measured here': 'measured',
  recorded: 'recorded',
  report: 'measured',
  measured: 'measured',
  'data sheet': 'at most, by its data sheet',
  typed: 'at most, as typed',
};

interface Readings {
  readonly x: Reading;
  readonly y: Reading;
}

/** The speeds along the roofs, where they meet, and what is left of them for dense, each at its own height. */
function expectRoofs(
  read: Read,
  drawn: readonly Drawn[],
  { device: { roofs, by }, subject }: Roofline,
  { y }: Readings,
  where: string,
): void {
  const said = (start: string): Drawn | undefined => drawn.find(({ text }) => text.startsWith(start));
  const kinds = ['f32', 'i8', 'i8-matrix'].filter((kind) => kind in roofs.peakGMAps);
  const source = SOURCES[by];
  const speed = { speed: rate(roofs.readGBps), source };
  read.sentence(said('reads ')?.text ?? '', 'reads {speed}, {source}', speed, where);
  const names: Readonly<Record<string, string>> = {
    f32: 'multiplies and adds',
    i8: 'dot products in i8',
    'i8-matrix': 'matrices in i8',
  };
  for (const kind of kinds) {
    const label = said(names[kind]);
    const peak = 2 * roofs.peakGMAps[kind];
    const text = (label?.text ?? '').slice(names[kind].length);
    read.sentence(text, ' {peak}, {source}', { peak: work(peak), source }, where);
    expect(text).toContain(kind === 'f32' ? 'flop/s' : 'op/s');
    expectSame(y(Number(label?.of.y) + 7), peak / 1000, `${where}: the roof of ${kind}`);
  }
  const ridge = { ridge: number((2 * (roofs.peakGMAps[kinds[0]] ?? 0)) / roofs.readGBps, 2) };
  if (kinds.length > 0) read.sentence(said('ridge ')?.text ?? '', 'ridge {ridge}', ridge, where);
  const best = said('dense at best');
  if (best === undefined || subject === null) return;
  const useful = subject.nnz / (subject.rows * subject.cols);
  expectSame(y(Number(best.of.y) - 16), (2 * roofs.peakGMAps.f32 * useful) / 1000, `${where}: dense at best`);
  const zeros = { zeros: { ...percent(1 - useful), digits: 1 } };
  if (best.text.includes(':')) {
    read.sentence(best.text, 'dense at best: {zeros} of its factors are zeros', zeros, where);
  }
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

/** The same figures as a table. */
function expectTable(read: Read, roofline: Roofline, points: readonly RoofPoint[], where: string): void {
  const { rows } = roofFigures(points, titleOf);
  expect(rows).toHaveLength(points.length);
  for (const [i, { name, cells, values }] of rows.entries()) {
    const { measured, kernel, format } = points[i];
    const its = worked(points[i], measured ? roofline : { ...roofline, choices: { ...roofline.choices } });
    expect(name.startsWith(`${titleOf(format)} ${kernel || 'predicted'}`), name).toBe(true);
    const facts: Facts = {
      at: number(its.useful / its.size, 2),
      roof: number(its.useful / its.min, 2),
      reached: number(its.useful / its.took, 2),
      predicted: shortNs(its.predicted),
      took: ns(its.took),
      share: { ...percent(its.min / its.took), digits: 1 },
    };
    const rule = measured
      ? '{at} | {roof} | {reached} | {predicted} | {took} | {share}'
      : '{at} | {roof} | – | {predicted} | – | –';
    read.sentence(cells.join(' | '), rule, facts, `${where}, ${name}`);
    const numbers = [its.useful / its.size, its.useful / its.min, its.useful / its.took, its.predicted, its.took];
    const expected = measured
      ? [...numbers, its.min / its.took]
      : [numbers[0], numbers[1], null, its.predicted, null, null];
    for (const [j, value] of expected.entries()) {
      if (value === null) expect(values?.[j + 1]).toBeNull();
      else expectSame(Number(values?.[j + 1]), value, `${where}, ${name}, ${j}`);
    }
  }
}

describe('beside the chart of the roofline', () => {
  it('are the figures of its matrix, of its kernels and of its device', () => {
    const read = new Read();
    for (const roofline of rooflines()) {
      const { shown, subject, point, device: by, refused } = roofline;
      if (subject === null || point === null || point !== shown[0]) continue;
      const { roofs } = by;
      const where = `${by.id}, ${subject.title}`;
      const lines = shownText(createElement(RoofSide, { roofline }));
      const fact = (name: string, rule: string, facts: Facts): void => {
        const dd = new RegExp(`${name.replaceAll('.', '\\.')}(?=[\\d<]|not)([^\\n]*?)(?=${ENDS}|\n|$)`).exec(
          lines,
        )?.[1];
        read.sentence(dd ?? `found no ${name}`, rule, facts, `${where}, ${name}`);
      };
      const { nnz, rows, cols } = subject;
      fact('non-zeros', '{nnz}', { nnz: number(nnz) });
      fact('read speed', '{speed}', { speed: rate(roofs.readGBps) });
      for (const [kind, name] of [
        ['f32', 'multiply-adds, f32'],
        ['i8', 'multiply-adds, i8'],
      ] as const) {
        if (kind in roofs.peakGMAps) fact(name, '{peak}', { peak: work(roofs.peakGMAps[kind]) });
        else fact(name, 'not measured', {});
      }
      const ridge = (2 * roofs.peakGMAps.f32) / roofs.readGBps;
      fact('ridge', Number.isNaN(ridge) ? 'not known' : '{ridge}', { ridge: intensity(ridge) });
      fact('empty dispatch', roofs.dispatchNs > 0 ? '{ns}' : 'not known', { ns: ns(roofs.dispatchNs) });
      fact('left', '{share}', { share: { ...percent(nnz / (rows * cols)), digits: 1 } });
      const kernels = lines.split('of what their roof allows')[1].split('\n');
      for (const [i, one] of shown.entries()) {
        const its = worked(one, roofline);
        const title = `${titleOf(one.format)}${apart(one)}`;
        expect(kernels[i].trim().startsWith(title), `${where}: ${kernels[i]}`).toBe(true);
        const text = kernels[i].trim().slice(title.length).trim();
        const facts: Facts = { ns: shortNs(its.predicted), share: { ...percent(its.min / its.took), digits: 1 } };
        read.sentence(text, one.measured ? '{share}' : '{ns}, predicted', facts, `${where}, ${title}`);
      }
      expect(lines).toContain(`${refused.map(titleOf).join(' and ')} do not hold this matrix.`);
    }
    expect(read.met('{share}')).toBeGreaterThan(50);
  });

  it('are the parts of the time of a kernel', () => {
    const read = new Read();
    for (const roofline of rooflines()) {
      const { point, dense, subject, device: by } = roofline;
      if (point === null || subject === null) continue;
      const its = worked(point, roofline);
      const text = shownText(createElement(RoofSteps, { roofline }));
      const [head] = text.split('\n');
      const title = `${titleOf(point.format)}${apart(point)}`;
      const facts = { ns: shortNs(its.took), title };
      const rule = `Why {title} ${point.measured ? 'takes' : 'would take'} {ns}`;
      read.sentence(head.trim().split(/(?<=[mnµ]?s)(?:one token|\d)/)[0], rule, facts, by.id);
      const bar = point.measured && shownText(createElement(TimeBar, { point, dense }));
      if (!bar) continue;
      const dispatch = Math.max(0, Math.min(by.roofs.dispatchNs, its.took - its.min));
      const ofDense = dense?.measured && dense.format !== point.format ? rowOf(dense, subject).ns : null;
      const parts: Facts = {
        min: ns(its.min),
        dispatch: dispatch === 0 ? '0\u202fns' : ns(dispatch),
        rest: its.took <= its.min + dispatch ? '0\u202fns' : ns(its.took - its.min - dispatch),
        dense: ns(ofDense ?? 0),
      };
      const isBytes = its.size / by.roofs.readGBps >= its.min;
      const said = bar.replaceAll(/(?<=s)(?=dispatch|the rest|dense)/g, ' ');
      read.sentence(
        said,
        `${isBytes ? 'bytes' : 'arithmetic'}{min} dispatch{dispatch} the rest{rest}${ofDense === null ? '' : ' dense{dense}'}`,
        parts,
        point.id,
      );
    }
  });

  it('compares a kernel with the dense that is named, whichever its run compared it with', () => {
    const read = new Read();
    for (const roofline of rooflines()) {
      const { point, dense, subject, device: by } = roofline;
      if (!point?.measured || !dense?.measured || subject === null || point.tokens === null) continue;
      const [own, other] = [rowOf(point, subject), rowOf(dense, subject)];
      if (own.row.vsDense === null || point === dense) continue;
      const context = { subject, roofs: by.roofs, device: by.name, isMeasured: true, titleOf };
      const [, said = ''] =
        / and is (.*?) times as fast as dense/.exec(plainText(roofSentence(point, dense, context))) ?? [];
      const ratio = other.ns / own.ns;
      // A ratio of rounds is not quite that of medians.
      const facts = { ratio: { ...times(ratio), slack: 0.03 } };
      read.sentence(said, '{ratio}', facts, point.id);
      const step = stepsOf(point, dense, subject, by.roofs).find(({ id }) => id === 'against');
      read.sentence(step?.value ?? '', '{ratio}×', facts, point.id);
      read.sentence(step?.formula ?? '', '{dense} / {own}', { dense: ns(other.ns), own: ns(own.ns) }, point.id);
    }
    expect(read.met('{ratio}×')).toBeGreaterThan(30);
  });

  it('is of the device whose roofs are drawn: where another answers, that one was not timed', () => {
    const [recorded] = DEVICES;
    const others = [{ ...device, id: 'this', roofs: null, isSoftware: true }, device];
    expect(others.map((asked) => isTimed(roofDevice(asked, [device]), asked))).toEqual([false, true]);
    expect(roofDevice(others[0], [device])).toMatchObject({ id: recorded.id, by: 'recorded' });
  });

  it('divides the work of a kernel by the speed of its arithmetic, where that decides', () => {
    const read = new Read();
    for (const roofline of rooflines()) {
      const { point, dense, subject, device: by } = roofline;
      if (point === null || subject === null || point.prediction.decides === 'bytes') continue;
      const its = worked(point, roofline);
      const step = stepsOf(point, dense, subject, by.roofs).find(({ id }) => id === 'least');
      const facts = { done: flop(2 * its.done), peak: work(2 * by.roofs.peakGMAps[its.kind]) };
      read.sentence(step?.formula ?? '', '{done} / {peak}', facts, by.id);
      read.sentence(
        (step?.meaning ?? '').replace(/in i?f?\d+(?: by matrices)? decides/, 'in its kind decides'),
        'Reading takes {ns}: arithmetic in its kind decides.',
        { ns: ns(its.size / by.roofs.readGBps) },
        by.id,
      );
    }
    expect(read.met('{done} / {peak}')).toBeGreaterThan(5);
  });
});

/** What follows a figure beside the chart. */
const ENDS = 'Kernels|Recorded|Measured|Data sheet|left|values|multiply-adds, |i8 by|ridge|empty dispatch|read speed';

/** What of a point is not as usual: its arithmetic, which its cells follow, or its cells. */
function apart({ arithmetic, cells }: RoofPoint): string {
  const words: Readonly<Record<string, string>> = { i8: ' in i8', 'i8-matrix': ' in i8 by matrices' };
  return words[arithmetic] ?? (cells === null ? '' : ` in ${cells}`);
}
