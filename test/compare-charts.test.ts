// @vitest-environment happy-dom
import { createElement } from 'react';
import { expect, it } from 'vitest';
import type { SizeLine } from '../src/pages/compare/curves/chart-lines.ts';
import { tokenFigures, TokensChart } from '../src/pages/compare/chart/ModelChart.tsx';
import { sizeFigures, SizeChart } from '../src/pages/compare/chart/SizeChart.tsx';
import { GRID } from '../src/pages/compare/curves/size-curves.ts';
import { readingsOf } from './chart-readings.ts';
import { drawnMarkup } from './drawn-page.ts';
import { CSR, variantOf } from './model-questions.ts';

/*
 * Snapshots of Compare's charts over density. The positions of dots, rules and names are read back as numbers of the axes,
 * and are listed next to the rows of the chart's table.
 */

/** Returns the line of a format with its stored parameters. */
function lineOf({ format, stored, key }: typeof CSR, side: SizeLine['side']): SizeLine {
  const { params } = stored;
  return { key, format, params, title: format.title, side, isQuantised: false, sizes: [], supportedUpTo: 1 };
}

/** The formats of the charts, with made-up times: a format's time is `base` + `slope` × density, in microseconds. */
const FORMATS = [
  { line: lineOf(variantOf('macko'), 'a'), base: 40_000, slope: 900_000 },
  { line: lineOf(CSR, 'b'), base: 15_000, slope: 2_100_000 },
] as const;

/** Returns the chart properties that these tests do not vary, with the cursor at the density `at`. */
const chartProps = (at: number) => ({
  cursor: { x: at, label: '', text: '', step: (to: number) => to, onMove: () => {}, onRelease: () => {} },
  height: 400,
  strong: null,
  onStrong: () => {},
});

const SNAPSHOTS = '../src/pages/compare/chart/words';

/** Returns the marks of a drawn chart, read back from its axes, and the rows of its table with their numbers. */
function withRows(markup: string, rows: ReturnType<typeof sizeFigures>['rows']): string {
  const listed = rows.map(({ name, cells, values }) => `${name} | ${cells.join(' | ')}  (${values?.join(', ')})\n`);
  return `${readingsOf(markup, { x: 'linear', y: 'linear' })}\n\n${listed.join('')}`;
}

it('the chart of tokens per second draws, speaks and lists the reciprocals of the times', async () => {
  const at = 0.535;
  const lines = FORMATS.map(({ line, base, slope }) => ({
    line,
    costs: GRID.map((density) => (density < 0.01 ? null : { stored: 1, ns: 1e3 * (base + slope * density) })),
  }));
  const rules = [
    { id: 'f16', title: 'dense f16', stored: 1, ns: 3.5e9 },
    { id: 'i4', title: 'dense i4', stored: 1, ns: 9e8 },
  ];
  const dots = [at, 0.3, 0.8].map((density, i) => ({
    format: 'macko',
    title: 'MACKO',
    density,
    y: [1.43, 2.71, 0.59][i],
  }));
  const published = [{ format: 'csr', title: 'published', density: 0.4, y: 1.25 }];
  const crossings = [{ line: lines[0].line, rule: rules[1], density: 0.9555 }];
  const props = {
    ...chartProps(at),
    matrixName: 'A model',
    lines,
    rules,
    crossings,
    dots,
    published,
    deviceName: 'on a card',
  };
  const markup = drawnMarkup(createElement(TokensChart, props), 1000);
  await expect(withRows(markup, tokenFigures(props).rows)).toMatchFileSnapshot(`${SNAPSHOTS}/tokens.txt`);
});

it('the chart of sizes draws and lists sizes as shares of the dense size', async () => {
  const at = 0.053;
  const sizeOf = (i: number, density: number): number => 0.002 + (i === 0 ? 1.25 : 1.5) * density;
  const lines = FORMATS.map(({ line }, i) => ({
    line,
    sizes: GRID.map((density) => sizeOf(i, density)),
    evenAt: i === 0 ? 0.798 : 0.666,
  }));
  const rules = [
    { id: 'f16', title: 'dense f16', size: 1 },
    { id: 'i4', title: 'dense i4', size: 0.28 },
  ];
  const dots = [at, 0.0537, 0.7].map((density) => ({
    format: 'macko',
    title: 'MACKO',
    density,
    y: sizeOf(0, density),
  }));
  const props = { ...chartProps(at), name: 'A model', lines, rules, dots, published: [] };
  const markup = drawnMarkup(createElement(SizeChart, props), 1000);
  await expect(withRows(markup, sizeFigures(props).rows)).toMatchFileSnapshot(`${SNAPSHOTS}/sizes.txt`);
});
