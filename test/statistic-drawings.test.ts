// @vitest-environment happy-dom
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { defaultParams } from '../src/core/format.ts';
import { finish } from '../src/core/job.ts';
import { denseMatrix, type Matrix } from '../src/core/matrix/index.ts';
import { statisticsSteps } from '../src/core/statistics/matrix-statistics.ts';
import { statisticsRequest, verdictOf } from '../src/engine/matrix/format-verdicts.ts';
import type { Comparison } from '../src/engine/matrix/matrix-types.ts';
import { formats } from '../src/formats/registry.ts';
import { RECIPE_PATTERNS } from '../src/generate/awkward/matrices.ts';
import { StatisticCharts } from '../src/pages/compare/details/gaps/StatisticCharts.tsx';
import type { FormatParams } from '../src/state/index.ts';
import { AWKWARD_SHAPES, buildMatrix } from './arbitraries.ts';
import { readingsOf } from './chart-readings.ts';
import { drawnMarkup } from './drawn-page.ts';
import { columnsMatrix } from './matrices.ts';
import { wordings } from './wordings.ts';

/*
 * The charts of Compare about the positions of non-zeros: bars, limits and means are at the positions of the statistics'
 * numbers. src/core/statistics/matrix-statistics.test.ts checks the statistics themselves.
 */

const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));
const recipe = { values: 'small integers', storage: 'entries', seed: 3 } as const;

/** Matrices of all patterns, of awkward shapes, of wide gaps, and one with thousands of rows. */
const MATRICES: readonly (readonly [title: string, matrix: Matrix])[] = [
  ...(Object.keys(RECIPE_PATTERNS) as (keyof typeof RECIPE_PATTERNS)[]).map(
    (pattern) => [pattern, buildMatrix({ ...recipe, shape: [24, 172], pattern, density: 0.2 })] as const,
  ),
  ...AWKWARD_SHAPES.map(
    (shape) => [shape.join(' x '), buildMatrix({ ...recipe, shape, pattern: 'uniform', density: 0.3 })] as const,
  ),
  ['without non-zeros', denseMatrix(3, 40, new Float32Array(120))],
  ['two rows', columnsMatrix(64, [[5], [5, 9]])],
  ['far apart', columnsMatrix(2000, [[299, 599, 899, 1999], [299, 1299], [1299]])],
  ['tall', buildMatrix({ ...recipe, shape: [3000, 64], pattern: 'uniform', density: 0.3 })],
];

const accessibleName = (markup: string): string => /role="img" aria-label="([^"]*)"/.exec(markup)?.[1] ?? '';
const chartCache = new Map<Matrix, ReturnType<typeof drawnCharts>>();

/** The charts of a matrix by their titles; drawn once for both tests. */
function chartsOf(m: Matrix) {
  const charts = chartCache.get(m) ?? drawnCharts(m);
  chartCache.set(m, charts);
  return charts;
}

function drawnCharts(m: Matrix) {
  const statistics = finish(statisticsSteps(m, statisticsRequest(formats)));
  const verdicts = Object.fromEntries(formats.map((f) => [f.id, verdictOf(f, statistics, params[f.id], {})]));
  const comparison = { statistics, verdicts } as unknown as Comparison;
  const element = createElement(StatisticCharts, { comparison, caption: 'm', onParams: () => {} });
  const markup = drawnMarkup(element, 1000, { document: { params }, isOpen: true });
  const sections = markup.split('<section class="compare-chart').slice(1);
  return new Map(sections.map((section) => [/aria-label="([^"]*)"/.exec(section)?.[1] ?? '', section]));
}

it('charts draw marks at the positions of their numbers', async () => {
  const few = ['uniform', 'far apart'];
  const read = MATRICES.filter(([title]) => few.includes(title)).flatMap(([title, m]) =>
    [...chartsOf(m)].map(([name, chart]) => {
      const scales = { x: name === 'Gaps' ? 'log' : 'linear', y: 'linear' } as const;
      return `${title}: ${name}\n${readingsOf(chart, scales)}\n`;
    }),
  );
  await expect(read.join('\n')).toMatchFileSnapshot('../src/pages/compare/details/gaps/words/readings.txt');
});

it('texts of the charts equal their snapshot', async () => {
  const output = MATRICES.flatMap(([, m]) =>
    [...chartsOf(m)].map(([title, chart]) => {
      const note = /<p class="leading-[^"]*">(.*?)<\/p>/.exec(chart)?.[1].split(/ ?<span/)[0] ?? '';
      return [title.replace(/\d+/, 'some'), `${accessibleName(chart)} / ${note}`] as const;
    }),
  );
  await expect(wordings(output)).toMatchFileSnapshot('../src/pages/compare/details/gaps/words/charts.txt');
});
