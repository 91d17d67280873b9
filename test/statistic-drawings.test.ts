// @vitest-environment happy-dom
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { defaultParams } from '../src/core/format.ts';
import { finish } from '../src/core/job.ts';
import { denseMatrix, type Matrix } from '../src/core/matrix/index.ts';
import { statisticsSteps } from '../src/core/statistics/matrix-statistics.ts';
import { statisticsRequest, verdictOf } from '../src/engine/matrix/comparing.ts';
import type { Comparison } from '../src/engine/matrix/types.ts';
import { formats } from '../src/formats/registry.ts';
import { RECIPE_PATTERNS } from '../src/generate/awkward/matrices.ts';
import { StatisticCharts } from '../src/places/compare/folds/gaps/StatisticCharts.tsx';
import type { FormatParams } from '../src/state/index.ts';
import { AWKWARD_SHAPES, buildMatrix } from './arbitraries.ts';
import { axesOf, type Drawn, drawnIn, type Reading } from './drawn-axes.ts';
import { drawnMarkup, tableIn } from './drawn-page.ts';
import { columnsMatrix } from './matrices.ts';
import { number, percent, Read } from './sentences.ts';
import { wordings } from './wordings.ts';

/*
 * The charts of how non-zeros lie have bars, limits and means where their axes have the figures of the statistics, which a
 * loop over cells counts once more in src/core/statistics/matrix-statistics.test.ts.
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

const same = (found: number, expected: number, where: string): void =>
  expect(Math.abs(found - expected), `${where}: found ${found}, expected ${expected}`).toBeLessThan(
    1e-6 * Math.max(1, expected),
  );
const spokenIn = (markup: string): string => /role="img" aria-label="([^"]*)"/.exec(markup)?.[1] ?? '';
const upTo = (gaps: Uint32Array, max: number): number =>
  gaps.subarray(0, max + 1).reduce((sum, n) => sum + n, 0) /
  Math.max(
    1,
    gaps.reduce((sum, n) => sum + n, 0),
  );

const drawnOf = new Map<Matrix, ReturnType<typeof drawnCharts>>();

/** The charts of a matrix by their titles, and what they are of; drawn once for all tests. */
function chartsOf(m: Matrix) {
  const found = drawnOf.get(m) ?? drawnCharts(m);
  drawnOf.set(m, found);
  return found;
}

function drawnCharts(m: Matrix) {
  const statistics = finish(statisticsSteps(m, statisticsRequest(formats)));
  const verdicts = Object.fromEntries(formats.map((f) => [f.id, verdictOf(f, statistics, params[f.id], {})]));
  const comparison = { statistics, verdicts } as unknown as Comparison;
  const element = createElement(StatisticCharts, { comparison, caption: 'm', onParams: () => {} });
  const markup = drawnMarkup(element, 1000, { document: { params }, isOpen: true });
  const sections = markup.split('<section class="compare-chart').slice(1);
  const charts = new Map(sections.map((one) => [/aria-label="([^"]*)"/.exec(one)?.[1] ?? '', one]));
  return { charts, statistics, marks: Object.values(verdicts).flatMap(({ marks }) => marks) };
}

/** The lines of formats, ascending: where they stand, and where the formats say that they do. */
function expectMarks(drawn: readonly Drawn[], x: Reading, expected: readonly number[], where: string): void {
  const lines = drawn.filter(({ tag, of }) => tag === 'line' && of.class === undefined);
  const at = lines.map(({ of }) => x(Number(of.x1))).toSorted((a, b) => a - b);
  expect(at, where).toHaveLength(expected.length);
  for (const [i, place] of expected.toSorted((a, b) => a - b).entries()) same(at[i], place, where);
}

/** The figures of a histogram: its bars, its table and its dotted mean. */
function expectCounts(
  read: Read,
  chart: string,
  counts: ArrayLike<number>,
  { limit = null, mean = null }: { readonly limit?: number | null; readonly mean?: number | null },
  where: string,
): void {
  const bins = tableIn(chart)
    .slice(1)
    .map(([name, count]) => {
      const [from, to = from] = name.split(' to ').map((text) => Number(text.replaceAll('\u202f', '')));
      const many = Array.from(counts).reduce((sum, n, k) => sum + (k >= from && k <= to ? n : 0), 0);
      read.sentence(count, '{count}', { count: number(many) }, `${where}, ${name}`);
      return { from, to, many };
    });
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
  expect(sum(bins.map(({ many }) => many)), where).toBe(sum(Array.from(counts)));
  const [first, ...rest] = Array.from(counts).flatMap((n, k) => (n > 0 ? [k] : []));
  const [, from, to] = /: from ([\d\u202f]+) to ([\d\u202f]+)[;.]/.exec(spokenIn(chart)) ?? [];
  const range = { from: number(first), to: number(rest.at(-1) ?? first) };
  if (first !== undefined) read.sentence(`${from} to ${to}`, '{from} to {to}', range, where);
  const used = bins.filter(({ many }) => many > 0);
  const drawn = drawnIn(chart);
  const bars = drawn.filter(({ of }) => of.class === 'count-column');
  const dotted = drawn.filter(({ of }) => of.class === 'plot-dotted');
  expect([bars.length, dotted.length], where).toEqual([used.length, mean === null ? 0 : 1]);
  // With a single figure along x nothing can be read there.
  if (drawn.filter(({ tag, of }) => tag === 'text' && of['text-anchor'] === 'middle').length > 1) {
    const { x, y } = axesOf(drawn, { x: 'linear', y: 'linear' });
    for (const [i, { of }] of bars.entries()) {
      const { from, to, many } = used[i];
      same(x(Number(of.x)), from - 0.5, where);
      same(x(Number(of.x) + Number(of.width) + 1), to + 0.5, where);
      const bottom = Number(of.y) + Number(of.height);
      same(y(bottom), 0, where);
      if (bottom - Number(of.y) > 1.6) same(y(Number(of.y)), many, where);
      expect('data-over' in of, where).toBe(limit !== null && from > limit);
    }
    if (mean !== null) same(x(Number(dotted[0].of.x1)), mean, where);
  }
  if (mean === null) return;
  const said = drawn[drawn.findIndex(({ text }) => text === 'mean') + 1];
  read.sentence(said.text, '{mean}', { mean: number(mean) }, where);
}

it('the chart of gaps has them as bars and as a line up to each', () => {
  const read = new Read();
  for (const [where, m] of MATRICES) {
    const { charts, statistics, marks: all } = chartsOf(m);
    const { gaps, nnz } = statistics;
    const chart = charts.get('Gaps') ?? '';
    const drawn = drawnIn(chart);
    const { x, y } = axesOf(drawn, { x: 'log', y: 'linear' });
    const [zero, whole] = drawn.filter(({ of }) => of.class === 'plot-grid').map(({ of }) => Number(of.y1));
    const height = Math.abs(zero - whole) / Math.abs(y(zero) - y(whole));
    const share = (gap: number): number => (nnz === 0 ? 0 : gaps[gap] / nnz);

    const bars = drawn.filter(({ of }) => of.class === 'compare-column');
    const kinds = [...gaps.keys()].filter((gap) => gaps[gap] > 0);
    const seen = kinds.filter((gap) => share(gap) * height >= 0.5);
    expect(bars, where).toHaveLength(seen.length);
    for (const [i, { of }] of bars.entries()) {
      same(x(Number(of.x)), Math.max(0.76, seen[i] - 0.5), where);
      same(y(Number(of.y)), share(seen[i]), where);
    }
    // The line is at each width where the share of gaps up to it is; what is left out of it cannot be seen.
    const line = drawn.find(({ of }) => of.class === 'series-line')?.of.d ?? '';
    const corners = [...line.matchAll(/([\d.]+),(-?[\d.]+)/g)].map(([, px, py]) => [Number(px), Number(py)] as const);
    for (const gap of [...kinds, Math.max(1, ...kinds)]) {
      const reached = corners.filter(([px]) => x(px) <= gap * (1 + 1e-4)).at(-1);
      expect(Math.abs(y(reached?.[1] ?? 0) - upTo(gaps, gap)), `${where}, up to ${gap}`).toBeLessThan(0.003);
    }
    same(y(corners.at(-1)?.[1] ?? 0), nnz === 0 ? 0 : 1, where);

    const marks = all.filter(({ chart: { of } }) => of === 'gaps').map(({ at }) => at);
    expectMarks(drawn, x, marks, where);
    for (const { of } of drawn.filter(({ tag }) => tag === 'circle')) {
      const [near] = marks.toSorted((a, b) => Math.abs(a - x(Number(of.cx))) - Math.abs(b - x(Number(of.cx))));
      same(y(Number(of.cy)), upTo(gaps, near), `${where}, ring at ${near}`);
    }
    for (const [, part, width] of spokenIn(chart).matchAll(/([\d.]+\u202f%) are up to ([\d\u202f]+)/g)) {
      const gap = Number(width.replaceAll('\u202f', ''));
      read.sentence(part, '{part}', { part: { ...percent(upTo(gaps, gap)), digits: 1 } }, `${where}, up to ${width}`);
    }
    for (const [name, many, part, until] of tableIn(chart).slice(1)) {
      const gap = Number(name.replaceAll('\u202f', ''));
      const facts = {
        many: number(gaps[gap]),
        part: { ...percent(share(gap)), digits: 1 },
        until: { ...percent(upTo(gaps, gap)), digits: 1 },
      };
      if (part.startsWith('<')) expect(facts.part.value, where).toBeLessThan(0.05);
      else read.sentence(part, '{part}', facts, `${where}, ${name}`);
      read.sentence(`${many}, ${until}`, '{many}, {until}', facts, `${where}, ${name}`);
    }
  }
  expect(read.met('{many}, {until}')).toBeGreaterThan(100);
});

it('the other charts have how many rows, groups and pairs hold how much, what does not fit, and where the mean is', () => {
  const read = new Read();
  for (const [where, m] of MATRICES) {
    const { charts, statistics, marks: all } = chartsOf(m);
    const { rowCounts, groups, nnz, shared } = statistics;
    const mean = m.rows === 0 ? null : nnz / m.rows;
    expectCounts(read, charts.get('Non-zeros per row') ?? '', rowCounts, { mean }, where);
    for (const [title, chart] of charts) {
      const width = Number(/^Non-zeros per (\d+) columns$/.exec(title)?.[1]);
      if (Number.isNaN(width)) continue;
      const marks = all.filter((mark) => mark.chart.of === 'groups' && mark.chart.width === width && mark.isLimit);
      const limit = Math.min(...marks.map(({ at }) => at));
      const { counts = [] } = groups.find((group) => group.width === width) ?? {};
      expectCounts(read, chart, counts, { limit }, `${where}, ${title}`);
      const over = Array.from(counts).reduce((sum, n, k) => sum + (k > limit ? n : 0), 0);
      const said = / ([\d\u202f]+) groups? holds? more than fits/.exec(spokenIn(chart))?.[1] ?? '0';
      read.sentence(said, '{over}', { over: number(over) }, `${where}, ${title}`);
      const drawn = drawnIn(chart);
      const { x } = axesOf(drawn, { x: 'linear', y: 'linear' });
      expectMarks(
        drawn,
        x,
        marks.map(({ at }) => at + 0.5),
        where,
      );
    }
    const pairs = charts.get('Columns that two rows share');
    expect(pairs !== undefined, where).toBe(m.rows > 1);
    if (pairs === undefined) continue;
    expectCounts(read, pairs, shared.counts, { mean: shared.mean }, `${where}, pairs`);
    const [, rows, each, chance, best] =
      /of (\d+).* rows shares ([\d.]+) .*, ([\d.]+) by .*, ([\d.]+) with/.exec(spokenIn(pairs)) ?? [];
    const facts = {
      rows: number(shared.sampled.length),
      each: number(shared.mean),
      chance: number(shared.byChance),
      best: number(shared.best),
    };
    read.sentence([rows, each, chance, best].join(' '), '{rows} {each} {chance} {best}', facts, `${where}, pairs`);
  }
});

it('what the charts say', async () => {
  const said = MATRICES.flatMap(([, m]) =>
    [...chartsOf(m).charts].map(([title, chart]) => {
      const note = /<p class="leading-145 [^"]*">(.*?)<\/p>/.exec(chart)?.[1].split(/ ?<span/)[0] ?? '';
      return [title.replace(/\d+/, 'some'), `${spokenIn(chart)} / ${note}`] as const;
    }),
  );
  await expect(wordings(said)).toMatchFileSnapshot('../src/places/compare/folds/gaps/words/charts.txt');
});
