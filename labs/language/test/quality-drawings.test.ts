// @vitest-environment happy-dom
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import type { RecordedQuality, RecordedRow } from '../decoders/quality/recorded-quality.ts';
import { CostOfL1 } from '../page/neurons/CostOfL1.tsx';
import { BytesChart } from '../page/quality/BytesChart.tsx';
import { DensityChart } from '../page/quality/DensityChart.tsx';
import { recordedPoints, type QualityPoint } from '../page/quality/points.ts';
import { UnbrokenChart } from '../page/quality/UnbrokenChart.tsx';
import { qualityDrawing } from '../page/show/quality-drawing.ts';
import { type Drawn, drawnIn, type Reading, readingOf, tickOf } from '../../../test/drawn-axes.ts';
import { drawnMarkup } from '../../../test/drawn-page.ts';
import { number, Read } from '../../../test/text-rules.ts';
import { shippedFiring, shippedQuality } from './offers.ts';

/*
 * Checks the positions of marks in charts: along both axes and in the labels next to marks, they agree with the
 * rows of a recording.
 */

const QUALITIES = ['tales', 'tales-relu', 'tales-small'].map(shippedQuality);
const pointsOf = (quality: RecordedQuality): readonly QualityPoint[] => recordedPoints(quality, 1e6);
const doNothing = (): void => {};

/** The y axis, read from its tick labels, which end left of it (text-anchor) and are centred on their tick (dy). */
function yOf(elements: readonly Drawn[], scale: 'linear' | 'log'): Reading {
  const labels = elements.filter(
    ({ tag, attributes }) => tag === 'text' && attributes.dy === '0.35em' && attributes['text-anchor'] === 'end',
  );
  const ticks = labels
    .filter(({ text }) => text !== 'best')
    .map(({ attributes, text }) => [Number(attributes.y), tickOf(text.replace('+', ''))] as const);
  return readingOf(ticks, scale);
}

/** The x axis, read from its tick labels: the lowest centred texts. */
function xOf(elements: readonly Drawn[], isNumber: RegExp, scale: 'linear' | 'log' = 'linear'): Reading {
  const labels = elements.filter(
    ({ tag, attributes, text }) => tag === 'text' && attributes['text-anchor'] === 'middle' && isNumber.test(text),
  );
  const axisY = Math.max(...labels.map(({ attributes }) => Number(attributes.y)));
  return readingOf(
    labels
      .filter(({ attributes }) => Number(attributes.y) === axisY)
      .map(({ attributes, text }) => [Number(attributes.x), tickOf(text)]),
    scale,
  );
}

/** The positions of the dots of lines, line by line. */
function dotsIn(elements: readonly Drawn[]): readonly (readonly (readonly [x: number, y: number])[])[] {
  return elements
    .filter(({ attributes }) => attributes.class === 'series-dots')
    .map(({ attributes }) =>
      [...attributes.d.matchAll(/M([\d.]+) (-?[\d.]+)h0/g)].map(([, x, y]) => [Number(x), Number(y)] as const),
    );
}

/** The rows of a line, by falling density. */
const lineOf = (rows: readonly RecordedRow[], way: RecordedRow['way']): readonly RecordedRow[] =>
  rows
    .filter((row) => row.valueType === 'f16' && row.trained === undefined && row.pattern === undefined)
    .filter((row) => row.way === way || row.way === 'none')
    .toSorted((a, b) => b.density - a.density);

/** Expects dots at these pixels to have the expected coordinates along the axes, in any order. */
function expectPositions(
  pixels: readonly (readonly [number, number])[],
  { x, y }: { readonly x: Reading; readonly y: Reading },
  expected: readonly (readonly [x: number, y: number])[],
  where: string,
): void {
  const inOrder = (all: readonly (readonly [number, number])[]) => all.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const coordinates = inOrder(pixels.map(([px, py]) => [x(px), y(py)] as const));
  expect(coordinates, where).toHaveLength(expected.length);
  for (const [i, [expectedX, expectedY]] of inOrder(expected).entries()) {
    const [foundX, foundY] = coordinates[i];
    expect(Math.abs(foundX - expectedX), `${where}: x, found ${foundX}, expected ${expectedX}`).toBeLessThan(1e-6);
    const tolerance = 1e-6 + 1e-6 * Math.abs(expectedY);
    const message = `${where}: y at ${expectedX}, found ${foundY}, expected ${expectedY}`;
    expect(Math.abs(foundY - expectedY), message).toBeLessThan(tolerance);
  }
}

const commonProps = {
  caption: '',
  live: [],
  published: [],
  density: 0.5,
  onMove: doNothing,
  onRelease: doNothing,
  hasTarget: () => true,
  onPick: doNothing,
};

const WAYS = ['random', 'magnitude', 'wanda'] as const;

describe('the charts of quality', () => {
  /** A line for each way of pruning that has rows, with these values of each row. */
  function expectLines(
    elements: readonly Drawn[],
    quality: RecordedQuality,
    y: Reading,
    valueOf: (row: RecordedRow) => number,
  ): void {
    const x = xOf(elements, /^\d+\u202f%$/);
    const lines = dotsIn(elements);
    const ways = WAYS.filter((way) => lineOf(quality.rows, way).length > 1);
    expect(lines).toHaveLength(ways.length);
    for (const [i, way] of ways.entries()) {
      const expected = lineOf(quality.rows, way).map((row) => [row.density, valueOf(row)] as const);
      expectPositions(lines[i], { x, y }, expected, `${quality.model}, ${way}`);
    }
  }
  const unbroken = (row: RecordedRow | undefined): number => (row?.unbroken ?? 0) / (row?.judged ?? 1);

  it.each(QUALITIES)('of $model show every row at its density, and the dense model as a dotted line', (quality) => {
    const points = pointsOf(quality);
    const { exact } = quality.floor;
    const props = {
      ...commonProps,
      points,
      isGrowing: false,
      floor: exact,
      bytesPerTale: quality.bytes / quality.tales,
    };
    const densityChart = drawnIn(drawnMarkup(createElement(DensityChart, props), 900));
    expectLines(densityChart, quality, yOf(densityChart, 'log'), ({ bitsPerByte }) => bitsPerByte - exact);

    const unbrokenChart = drawnIn(drawnMarkup(createElement(UnbrokenChart, { ...commonProps, points }), 900));
    const y = yOf(unbrokenChart, 'linear');
    expectLines(unbrokenChart, quality, y, unbroken);
    const dense = quality.rows.find(({ way, valueType }) => way === 'none' && valueType === 'f16');
    const rule = unbrokenChart.find(({ tag, attributes }) => tag === 'line' && attributes.class === 'plot-dotted');
    expect(y(Number(rule?.attributes.y1))).toBeCloseTo(unbroken(dense), 9);
  });

  it('have bits per tale next to bits per byte', () => {
    const textReader = new Read();
    for (const quality of QUALITIES) {
      const bytesPerTale = quality.bytes / quality.tales;
      const props = { ...commonProps, points: pointsOf(quality), denseBytes: 1e6, bytesPerTale };
      const elements = drawnIn(drawnMarkup(createElement(BytesChart, props), 900));
      const y = yOf(elements, 'log');
      const x = xOf(elements, /^[\d.]+$/);
      const rightEdge = Math.max(...elements.map(({ attributes }) => Number(attributes.x ?? 0)));
      // The labels in bits per tale end at the right edge, 4 px above their ticks.
      const taleLabels = elements.filter(
        ({ tag, attributes, text }) => tag === 'text' && Number(attributes.x) === rightEdge && /^[\d.]+$/.test(text),
      );
      expect(taleLabels).toHaveLength(4);
      for (const { attributes: of, text } of taleLabels) {
        textReader.sentence(text, '{bits}', { bits: number(y(Number(of.y) + 4) * bytesPerTale) }, quality.model);
      }
      const [line = []] = dotsIn(elements);
      const expected = pointsOf(quality)
        .filter(({ valueType, trained, pattern }) => valueType === 'f16' && trained === 0 && pattern === null)
        .filter((point) => point.method === 'none' || (point.method === 'wanda' && point.bytesShare < 1))
        .map((point) => [point.bytesShare, point.excessBits] as const);
      expectPositions(line, { x, y }, expected, quality.model);
    }
  });
});

it('the picture of a story has its dots at the right positions, for any number of unbroken tales', () => {
  const [quality] = QUALITIES;
  const colors = { ground: '', text: 't', muted: 'm', quiet: 'q', hairline: 'h', danger: 'd', tint: 'i', pruned: 'o' };
  const moreUnbroken = pointsOf(quality).map((point): QualityPoint => ({
    ...point,
    unbroken: Math.round(1.9 * point.unbroken),
  }));
  for (const points of [pointsOf(quality), moreUnbroken]) {
    for (const width of [400, 1000]) {
      const { marks } = qualityDrawing({ points, width, height: 600, colors });
      const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark] : []));
      const dots = marks.flatMap((mark) => (mark.kind === 'dot' ? [mark] : []));
      const shareLabels = texts.filter(({ text, anchor }) => anchor === 'end' && /^\d+ %$/.test(text));
      const excessLabels = texts.filter(({ text }) => text.startsWith('+'));
      // A label's baseline is 0.35 of the font size below its tick, and its own size is 0.85 of the font size.
      const baselineOffset = (shareLabels[0].size / 0.85) * 0.35;
      const tick = ({ y, text }: (typeof texts)[number]) =>
        [y - baselineOffset, tickOf(text.replace('+', '').replace(' ', ''))] as const;
      const y = [readingOf(excessLabels.map(tick), 'log'), readingOf(shareLabels.map(tick), 'linear')];
      const densityLabels = texts.filter(({ text, anchor }) => anchor === 'middle' && text.endsWith('%'));
      const x = [densityLabels.slice(0, 5), densityLabels.slice(5)].map((labels) =>
        readingOf(
          labels.map((mark) => [mark.x, tickOf(mark.text)]),
          'linear',
        ),
      );
      const judged = points.filter((point) => point.judged > 0);
      const values = [
        points.map((p) => [p.density, p.excessBits]),
        judged.map((p) => [p.density, p.unbroken / p.judged]),
      ] as const;
      for (const [i, dot] of dots.entries()) {
        const plot = i < points.length ? 0 : 1;
        const [density, value] = values[plot][i - plot * points.length];
        expect(x[plot](dot.x)).toBeCloseTo(density, 6);
        expect(y[plot](dot.y) / value || 1, `${i}: found ${y[plot](dot.y)}, expected ${value}`).toBeCloseTo(1, 5);
      }
    }
  }
});

it('the chart of what L1 costs has its trainings, this model and its twin at the right positions', () => {
  const textReader = new Read();
  const record = shippedFiring();
  const modelBits = QUALITIES[1].rows[0].bitsPerByte;
  const swiglu = QUALITIES[0].rows[0].bitsPerByte;
  for (const recordVariant of [record, { ...record, l1: record.l1.slice(2), mean: 55.4 }]) {
    const markup = drawnMarkup(
      createElement(CostOfL1, { record: recordVariant, modelBits, swiglu, onSwiglu: doNothing }),
      900,
    );
    const elements = drawnIn(markup);
    const [x, y] = [xOf(elements, /^\d+$/, 'log'), yOf(elements, 'linear')];
    // A ring for each training, which begins at its left edge, one radius from its centre.
    const radius = 4.5;
    const rings = elements.flatMap(({ attributes }) => [...(attributes.d ?? '').matchAll(/M([\d.]+) ([\d.]+)a4\.5/g)]);
    const centres = rings.map(([, left, y]) => [Number(left) + radius, Number(y)] as const);
    const expected = recordVariant.l1.map(({ firing, bitsPerByte }) => [firing, bitsPerByte] as const);
    expectPositions(
      centres,
      { x: (px) => Math.log(x(px)), y },
      expected.map(([firing, bits]) => [Math.log(firing), bits]),
      'trainings',
    );
    const [dotOfModel] = dotsIn(elements);
    expectPositions(dotOfModel, { x, y }, [[recordVariant.mean, modelBits]], 'this model');
    const notes = elements.filter(({ tag, text }) => tag === 'text' && /^\d+$/.test(text)).map(({ text }) => text);
    for (const firing of [...expected.map(([trainedFiring]) => trainedFiring), recordVariant.mean])
      expect(notes).toContain(String(Math.round(firing)));
    const rules = elements.filter(
      ({ tag, attributes }) => tag === 'line' && /plot-(rule|dotted)/.test(attributes.class ?? ''),
    );
    const [floor, twin] = rules.map(({ attributes }) => y(Number(attributes.y1)));
    expect(floor).toBeCloseTo(record.floor.exact, 6);
    expect(twin).toBeCloseTo(swiglu, 6);
    const seconds = recordVariant.l1.reduce((sum, run) => sum + run.seconds, 0) / recordVariant.l1.length;
    const [, caption = ''] = /<p[^>]*>bits per byte; rings: (.*?)<\/p>/.exec(markup) ?? [];
    textReader.sentence(
      caption,
      '{count} trainings of {seconds} s each',
      { count: number(recordVariant.l1.length), seconds: number(seconds) },
      'caption',
    );
    const [, bits = ''] = />SwiGLU, ([\d.]+)</.exec(markup) ?? [];
    textReader.sentence(bits, '{bits}', { bits: number(swiglu, 4) }, 'twin');
    expect(markup).toContain(`neurons of ${recordVariant.neurons} that fire`);
    // Every training had the same duration, rounded to the printed second.
    for (const run of recordVariant.l1) expect(Math.round(run.seconds)).toBe(Math.round(seconds));
    for (const { seen } of [...recordVariant.maxTokens, ...recordVariant.minTokens])
      expect(seen).toBeGreaterThanOrEqual(30);
  }
});
