import { createElement } from 'react';
import { expect, it } from 'vitest';
import { defaultParams, resolvedParams } from '../src/core/format.ts';
import { formats, referenceFormat } from '../src/formats/catalog.ts';
import type { TimedMatrix } from '../src/kit/report/matrix-times.ts';
import { stripsOf, WinnerStrips } from '../src/pages/compare/chart/CompareChart.tsx';
import { SpeedChart as CompareChart } from '../src/pages/compare/chart/SpeedChart.tsx';
import { chartLines, denseLines } from '../src/pages/compare/curves/chart-lines.ts';
import { SHARE_AXIS } from '../src/pages/compare/chart/chart-parts.ts';
import { measuredSpeeds } from '../src/pages/compare/curves/measured-speeds.ts';
import { sampleCurve } from '../src/pages/compare/curves/size-curves.ts';
import { fastestOf } from '../src/pages/compare/curves/use-measured-speeds.ts';
import { type StoredVariant, storedVariantOf } from '../src/pages/compare/rows/stored-variants.ts';
import type { FormatParams } from '../src/state/index.ts';
import { readingsOf } from './chart-readings.ts';
import { drawnMarkup } from './drawn-page.ts';
import { queryOf, timedMatrices, recordedDevices } from './recorded-questions.ts';

// @vitest-environment happy-dom
/*
 * Compare's chart of speeds over density: dots are at the positions of their numbers, thin lines at the ratios of bytes, and
 * the strips name the fastest format. The measurements are read from reports in src/pages/compare/curves/measured-speeds.test.ts and
 * test/one-time.test.ts.
 */

const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));
const [device] = recordedDevices;
const WORDS = '../src/pages/compare/chart/words';

/** A format with its default parameters and a value type, on a shape. */
function usual(id: string, shape: { readonly rows: number; readonly cols: number }, valueType = 'f16'): StoredVariant {
  const format = formats.find((format) => format.id === id) ?? referenceFormat;
  const variant = storedVariantOf(format, resolvedParams(format.params, { ...params[id], valueType }, shape), shape);
  if (variant === null) throw new Error(`found no ${id} in ${valueType}`);
  return variant;
}

/** Each shape with a recorded product with one token. */
const SHAPES: ReadonlyMap<string, TimedMatrix> = new Map(
  timedMatrices(device)
    .filter(({ tokens, isEven }) => tokens === 1 && !isEven)
    .map((requested) => [`${requested.rows} x ${requested.cols}`, requested]),
);

/** The speeds of all formats and of quantised dense on a shape, and the strips that name the fastest. */
function speedsOf(requested: TimedMatrix) {
  const dense = queryOf(usual('dense', requested));
  const timed = formats
    .filter(({ id }) => id !== 'dense')
    .map((format) => ({
      format,
      title: format.title,
      points: measuredSpeeds(device.reports, requested, queryOf(usual(format.id, requested)), dense),
    }))
    .filter(({ points }) => points.length > 0);
  const quantised = denseLines(params.dense, requested)
    .slice(1)
    .map((line) => {
      const query = { format: 'dense', params: line.params, spec: referenceFormat.params };
      return { ...line, points: measuredSpeeds(device.reports, requested, query, dense) };
    });
  const strips = fastestOf(timed, quantised);
  const variants = [
    ...timed.map(({ format, ...line }) => ({ variant: usual(format.id, requested), ...line })),
    ...quantised.map(({ id, title, points }) => ({ variant: usual('dense', requested, id), title, points })),
  ];
  return { timed, quantised, strips, variants };
}

/** The shape for which most formats were timed. */
const [[shape, requested]] = [...SHAPES].toSorted(
  ([, p], [, q]) => speedsOf(q).timed.length - speedsOf(p).timed.length,
);

it.each([null, 'software'] as const)('speeds over density are drawn, spoken and listed: %s', async (substitute) => {
  const { rows, cols } = requested;
  const question = { rows, cols, placement: 'independent' } as const;
  const some = formats.filter(({ id }) => ['csr', 'bitmask', 'slidesparse'].includes(id));
  const lines = await Promise.all(
    chartLines(some, params, { a: null, b: null }, question).map(async (line) => ({
      ...line,
      ...(await sampleCurve(line, question)),
    })),
  );
  const { timed, quantised, strips } = speedsOf(requested);
  const figures = { of: 'speed', title: 'theirs', points: [{ density: 0.45, value: 1.7 }] } as never;
  const chart = createElement(CompareChart, {
    ...NOTHING,
    lines,
    measured: timed,
    quantised: quantised,
    fastest: strips.ofFormats,
    substitute,
    published: [{ format: 'macko', figures }],
  });
  const read = readingsOf(drawnMarkup(chart, 1000, { isOpen: true }), { x: 'linear', y: 'log' });
  await expect(`${shape}\n${read}\n`).toMatchFileSnapshot(
    `${WORDS}/speeds${substitute === null ? '' : '-in-software'}.txt`,
  );
});

it('strips name the fastest format: no other was faster at any measured density in the strip', async () => {
  let compared = 0;
  const texts: string[] = [];
  for (const [where, matrix] of SHAPES) {
    const { timed, quantised, strips: fastest, variants } = speedsOf(matrix);
    const strips = stripsOf({ ...fastest, quantised }, timed, 'none');
    const markup = drawnMarkup(createElement(WinnerStrips, { strips, axis: SHARE_AXIS, onPick: () => {} }), 1000);
    const parts = markup.matchAll(/style="left: ([\d.]+)px; width: ([\d.]+)px;[^>]*aria-label="([^"]*)"/g);
    texts.push(where, ...[...parts].map(([, from, width, spoken]) => `  ${spoken}, at ${from} px, ${width} px wide`));
    for (const [i, stretches] of [fastest.ofFormats, ...(strips.length > 1 ? [fastest.withDense] : [])].entries()) {
      const rivals = variants.filter(({ variant }) => i === 1 || variant.format.id !== 'dense');
      for (const { winner, from, to } of stretches) {
        for (const density of new Set(variants.flatMap(({ points }) => points.map((point) => point.density)))) {
          if (density < from + 0.003 || density > to - 0.003) continue;
          const took = rivals.flatMap(({ title, points }) => {
            const point = points.find((point) => point.density === density);
            return point ? [{ title, ratio: point.ratio }] : [];
          });
          const winnerRatio = winner === referenceFormat.title ? 1 : took.find(({ title }) => title === winner)?.ratio;
          if (winnerRatio === undefined) continue;
          for (const { title, ratio } of took)
            expect(ratio, `${where}, ${density}, ${title}`).toBeLessThan(1.003 * winnerRatio);
          compared += took.length;
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(100);
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot(`${WORDS}/strips.txt`);
});

/** A chart of Compare in which nothing is drawn. */
const NOTHING = {
  lines: [],
  measured: [],
  besides: [],
  fastest: [],
  mark: null,
  published: [],
  cursor: { at: 0.23, label: '', text: '', step: (to: number) => to, onMove: () => {} },
  strong: null,
  onStrong: () => {},
  height: 400,
};
