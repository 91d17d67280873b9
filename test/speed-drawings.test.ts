// @vitest-environment happy-dom
/*
 * Compare's chart of speeds over density: dots are at the positions of their numbers, thin lines at the ratios of bytes, and
 * the strips name the fastest format. The measurements are read from reports in src/pages/compare/curves/measured-speeds.test.ts and
 * test/one-time.test.ts.
 */

import { createElement } from 'react';
import { expect, it } from 'vitest';
import { defaultParams, resolvedParams } from '../src/core/format.ts';
import { formats, referenceFormat } from '../src/formats/catalog.ts';
import type { TimedMatrix } from '../src/kit/report/matrix-times.ts';
import { stripsOf, WinnerStrips } from '../src/pages/compare/chart/CompareChart.tsx';
import { SpeedChart as CompareChart } from '../src/pages/compare/chart/SpeedChart.tsx';
import { chartLines, denseLines } from '../src/pages/compare/curves/chart-lines.ts';
import { DENSITY_AXIS } from '../src/pages/compare/chart/chart-parts.ts';
import { measuredSpeeds } from '../src/pages/compare/curves/measured-speeds.ts';
import { sampleCurve } from '../src/pages/compare/curves/size-curves.ts';
import { fastestOf } from '../src/pages/compare/curves/use-measured-speeds.ts';
import { type StoredVariant, storedVariantOf } from '../src/pages/compare/rows/stored-variants.ts';
import type { FormatParams } from '../src/state/index.ts';
import { readingsOf } from './chart-readings.ts';
import { drawnMarkup } from './drawn-page.ts';
import { queryOf, timedMatrices, recordedDevices } from './recorded-questions.ts';

const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));
const [device] = recordedDevices;
/** The folder of the expected texts. */
const SNAPSHOTS = '../src/pages/compare/chart/words';

/** A format with its default parameters and a value type, on a shape. */
function defaultVariant(
  id: string,
  shape: { readonly rows: number; readonly cols: number },
  valueType = 'f16',
): StoredVariant {
  const format = formats.find((format) => format.id === id) ?? referenceFormat;
  const variant = storedVariantOf(format, resolvedParams(format.params, { ...params[id], valueType }, shape), shape);
  if (variant === null) throw new Error(`found no ${id} in ${valueType}`);
  return variant;
}

/** Each shape with a recorded product with one token. */
const SHAPES: ReadonlyMap<string, TimedMatrix> = new Map(
  timedMatrices(device)
    .filter(({ tokens, isEven }) => tokens === 1 && !isEven)
    .map((matrix) => [`${matrix.rows} x ${matrix.cols}`, matrix]),
);

/** The speeds of all formats and of quantised dense on a shape, and the strips that name the fastest. */
function speedsOf(matrix: TimedMatrix) {
  const dense = queryOf(defaultVariant('dense', matrix));
  const timed = formats
    .filter(({ id }) => id !== 'dense')
    .map((format) => ({
      format,
      title: format.title,
      points: measuredSpeeds(device.reports, matrix, queryOf(defaultVariant(format.id, matrix)), dense),
    }))
    .filter(({ points }) => points.length > 0);
  const quantised = denseLines(params.dense, matrix)
    .slice(1)
    .map((line) => {
      const query = { format: 'dense', params: line.params, spec: referenceFormat.params };
      return { ...line, points: measuredSpeeds(device.reports, matrix, query, dense) };
    });
  const strips = fastestOf(timed, quantised);
  const variants = [
    ...timed.map(({ format, ...line }) => ({ variant: defaultVariant(format.id, matrix), ...line })),
    ...quantised.map(({ id, title, points }) => ({ variant: defaultVariant('dense', matrix, id), title, points })),
  ];
  return { timed, quantised, strips, variants };
}

/** The shape for which most formats were timed. */
const [[shape, timedMatrix]] = [...SHAPES].toSorted(
  ([, first], [, second]) => speedsOf(second).timed.length - speedsOf(first).timed.length,
);

it.each([null, 'software'] as const)(
  'the chart of speeds over density has the expected lines, texts and table, substitute %s',
  async (substitute) => {
    const { rows, cols } = timedMatrix;
    const question = { rows, cols, placement: 'independent' } as const;
    const threeFormats = formats.filter(({ id }) => ['csr', 'bitmask', 'slidesparse'].includes(id));
    const lines = await Promise.all(
      chartLines(threeFormats, params, { a: null, b: null }, question).map(async (line) => ({
        ...line,
        ...(await sampleCurve(line, question)),
      })),
    );
    const { timed, quantised: denseSpeeds, strips } = speedsOf(timedMatrix);
    const figures = { of: 'speed', title: 'theirs', points: [{ density: 0.45, value: 1.7 }] } as never;
    const chart = createElement(CompareChart, {
      ...EMPTY_CHART,
      lines,
      formatSpeeds: timed,
      denseSpeeds,
      fastest: strips.formatStretches,
      substitute,
      published: [{ format: 'macko', figures }],
    });
    const readings = readingsOf(drawnMarkup(chart, 1000, { isOpen: true }), { x: 'linear', y: 'log' });
    await expect(`${shape}\n${readings}\n`).toMatchFileSnapshot(
      `${SNAPSHOTS}/speeds${substitute === null ? '' : '-in-software'}.txt`,
    );
  },
);

it('strips name the fastest format: no other is faster at any measured density in the strip', async () => {
  let comparisonCount = 0;
  const texts: string[] = [];
  for (const [shapeText, matrix] of SHAPES) {
    const { timed, quantised, strips: fastest, variants } = speedsOf(matrix);
    const strips = stripsOf({ ...fastest, quantised }, timed, 'none');
    const markup = drawnMarkup(createElement(WinnerStrips, { strips, axis: DENSITY_AXIS, onPick: () => {} }), 1000);
    const drawnStrips = markup.matchAll(/style="left: ([\d.]+)px; width: ([\d.]+)px;[^>]*aria-label="([^"]*)"/g);
    texts.push(
      shapeText,
      ...[...drawnStrips].map(([, from, width, spoken]) => `  ${spoken}, at ${from} px, ${width} px wide`),
    );
    for (const [i, stretches] of [
      fastest.formatStretches,
      ...(strips.length > 1 ? [fastest.stretchesWithDense] : []),
    ].entries()) {
      const rivals = variants.filter(({ variant }) => i === 1 || variant.format.id !== 'dense');
      for (const { winner, from, to } of stretches) {
        for (const density of new Set(variants.flatMap(({ points }) => points.map((point) => point.density)))) {
          // Near the ends of a stretch two formats are almost equally fast, and either may be named.
          if (density < from + 0.003 || density > to - 0.003) continue;
          const rivalRatios = rivals.flatMap(({ title, points }) => {
            const point = points.find((point) => point.density === density);
            return point ? [{ title, ratio: point.ratio }] : [];
          });
          const winnerRatio =
            winner === referenceFormat.title ? 1 : rivalRatios.find(({ title }) => title === winner)?.ratio;
          if (winnerRatio === undefined) continue;
          for (const { title, ratio } of rivalRatios)
            expect(ratio, `${shapeText}, ${density}, ${title}`).toBeLessThan(1.003 * winnerRatio);
          comparisonCount += rivalRatios.length;
        }
      }
    }
  }
  expect(comparisonCount).toBeGreaterThan(100);
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot(`${SNAPSHOTS}/strips.txt`);
});

/** A chart of Compare in which nothing is drawn. */
const EMPTY_CHART = {
  lines: [],
  measured: [],
  besides: [],
  fastest: [],
  mark: null,
  published: [],
  cursor: { x: 0.23, label: '', text: '', step: (to: number) => to, onMove: () => {} },
  strong: null,
  onStrong: () => {},
  height: 400,
};
