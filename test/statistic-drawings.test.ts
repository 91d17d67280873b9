// @vitest-environment happy-dom
import { createElement } from 'react';
import { describe, expect, it } from 'vitest';
import { defaultParams } from '../src/core/format.ts';
import { finish } from '../src/core/job.ts';
import { denseMatrix, type Matrix, toCsr } from '../src/core/matrix/index.ts';
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
import { type Facts, number, percent, Read } from './sentences.ts';

/*
 * The law for sentences, for the charts of how non-zeros lie: bars, limits and means stand where the axes have their figures,
 * counted once more from the columns of the matrix.
 */

const params = Object.fromEntries(formats.map((f) => [f.id, defaultParams<FormatParams>(f.params)]));

/** Matrices of all patterns, of awkward shapes, of wide gaps, and one with thousands of rows. */
function* matrices(): Generator<readonly [title: string, matrix: Matrix]> {
  const recipe = { values: 'small integers', storage: 'entries', seed: 3 } as const;
  for (const pattern of Object.keys(RECIPE_PATTERNS) as (keyof typeof RECIPE_PATTERNS)[]) {
    yield [pattern, buildMatrix({ ...recipe, shape: [24, 172], pattern, density: 0.2 })];
  }
  for (const shape of AWKWARD_SHAPES) {
    yield [shape.join(' x '), buildMatrix({ ...recipe, shape, pattern: 'uniform', density: 0.3 })];
  }
  yield ['without non-zeros', denseMatrix(3, 40, new Float32Array(120))];
  yield ['two rows', columnsMatrix(64, [[5], [5, 9]])];
  yield ['far apart', columnsMatrix(2000, [[299, 599, 899, 1999], [299, 1299], [1299]])];
  yield ['tall', buildMatrix({ ...recipe, shape: [3000, 64], pattern: 'uniform', density: 0.3 })];
}

/** What the charts are of, counted without the code that draws or counts. */
function counted(m: Matrix) {
  const { indptr, indices } = toCsr(m);
  const rows = Array.from({ length: m.rows }, (_, r) => [...indices.subarray(indptr[r], indptr[r + 1])]);
  const gaps = rows.flatMap((columns) => columns.map((column, i) => column - (i === 0 ? -1 : columns[i - 1])));
  let longest = 0;
  for (const columns of rows) {
    for (const column of columns) {
      let run = 1;
      while (columns.includes(column + run)) run++;
      longest = Math.max(longest, run);
    }
  }
  return { rows, gaps, longest, lengths: rows.map(({ length }) => length) };
}

/** Non-zeros of each group of columns of each row; the last group of a row may be narrower. */
const inGroups = (rows: readonly (readonly number[])[], cols: number, width: number): readonly number[] =>
  rows.flatMap((columns) =>
    Array.from(
      { length: Math.ceil(cols / width) },
      (_, g) => columns.filter((column) => Math.floor(column / width) === g).length,
    ),
  );

const upTo = (all: readonly number[], max: number): number =>
  all.length === 0 ? 0 : all.filter((one) => one <= max).length / all.length;

const same = (found: number, expected: number, where: string): void =>
  expect(Math.abs(found - expected), `${where}: found ${found}, expected ${expected}`).toBeLessThan(
    1e-6 * Math.max(1, expected),
  );

const spokenIn = (markup: string): string => /role="img" aria-label="([^"]*)"/.exec(markup)?.[1] ?? '';

/** The charts of a matrix by their titles. */
function drawnChartsOf(m: Matrix) {
  const statistics = finish(statisticsSteps(m, statisticsRequest(formats)));
  const verdicts = Object.fromEntries(formats.map((f) => [f.id, verdictOf(f, statistics, params[f.id], {})]));
  const comparison = { statistics, verdicts } as unknown as Comparison;
  const element = createElement(StatisticCharts, { comparison, caption: 'm', onParams: () => {} });
  const markup = drawnMarkup(element, 1000, { document: { params }, isOpen: true });
  const charts = markup
    .split('<section class="compare-chart')
    .slice(1)
    .map((one) => [/aria-label="([^"]*)"/.exec(one)?.[1] ?? '', one] as const);
  return { charts: new Map(charts), verdicts, shared: statistics.shared };
}

const known = new Map<string, ReturnType<typeof drawnChartsOf>>();

/** The same, drawn once for all tests. */
function chartsOf(where: string, m: Matrix) {
  const charts = known.get(where) ?? drawnChartsOf(m);
  known.set(where, charts);
  return charts;
}

/** The lines of formats, ascending: where they stand, and where the formats say that they do. */
function expectMarks(drawn: readonly Drawn[], x: Reading, expected: readonly number[], where: string): void {
  const lines = drawn.filter(({ tag, of }) => tag === 'line' && of.class === undefined);
  const at = lines.map(({ of }) => x(Number(of.x1))).toSorted((a, b) => a - b);
  expect(at, where).toHaveLength(expected.length);
  for (const [i, place] of expected.toSorted((a, b) => a - b).entries()) same(at[i], place, where);
}

/** The figures of a histogram: its bars, its table, its dotted mean, and what is said of it. */
function expectCounts(
  read: Read,
  chart: string,
  counts: readonly number[],
  { one, limit = null, mean = null, note }: CountFacts,
  where: string,
): void {
  const rows = tableIn(chart).slice(1);
  const bins = rows.map(([name, count]) => {
    const [from, to = from] = name.split(' to ').map((text) => Number(text.replaceAll('\u202f', '')));
    const many = counts.filter((value) => value >= from && value <= to).length;
    read.sentence(count, '{count}', { count: number(many) }, `${where}, ${name}`);
    return { from, to, many };
  });
  expect(
    bins.reduce((sum, { many }) => sum + many, 0),
    where,
  ).toBe(counts.length);
  const used = bins.filter(({ many }) => many > 0);
  const drawn = drawnIn(chart);
  const bars = drawn.filter(({ of }) => of.class === 'count-column');
  const dotted = drawn.filter(({ of }) => of.class === 'plot-dotted');
  expect(bars, where).toHaveLength(used.length);
  expect(dotted, where).toHaveLength(mean === null ? 0 : 1);
  const figures = drawn.filter(({ tag, of }) => tag === 'text' && of['text-anchor'] === 'middle');
  // With a single figure along x nothing can be read there.
  if (figures.length > 1) {
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
  if (mean !== null) {
    const said = drawn[drawn.findIndex(({ text }) => text === 'mean') + 1];
    read.sentence(said.text, '{mean}', { mean: number(mean) }, where);
  }
  const over = limit === null ? 0 : counts.filter((value) => value > limit).length;
  const range = counts.length === 0 ? 'none' : 'from {min} to {max}';
  const fits = over === 0 ? '' : `; {over} ${over === 1 ? `${one} holds` : `${one}s hold`} more than fits`;
  const title = /aria-label="([^"]*)"/.exec(chart)?.[1] ?? '';
  const facts: Facts = {
    title,
    min: number(Math.min(...counts)),
    max: number(Math.max(...counts)),
    over: number(over),
    ...note?.facts,
  };
  read.sentence(spokenIn(chart), `{title}: ${range}${fits}.${note ? ` ${note.rule}` : ''}`, facts, where);
}

interface CountFacts {
  readonly one: string;
  /** what fits at most */
  readonly limit?: number | null;
  readonly mean?: number | null;
  readonly note?: { readonly rule: string; readonly facts: Facts };
}

describe('the charts of how non-zeros lie', () => {
  it('have the gaps of the matrix as bars and as a line up to each, and say them', () => {
    const read = new Read();
    for (const [where, m] of matrices()) {
      const { gaps, longest } = counted(m);
      const { charts, verdicts } = chartsOf(where, m);
      const chart = charts.get('Gaps') ?? '';
      const drawn = drawnIn(chart);
      const { x, y } = axesOf(drawn, { x: 'log', y: 'linear' });
      const [zero, whole] = drawn.filter(({ of }) => of.class === 'plot-grid').map(({ of }) => Number(of.y1));
      const height = Math.abs(zero - whole) / Math.abs(y(zero) - y(whole));

      const bars = drawn.filter(({ of }) => of.class === 'compare-column');
      const kinds = [...new Set(gaps)].toSorted((a, b) => a - b);
      const share = (gap: number): number => gaps.filter((one) => one === gap).length / gaps.length;
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
      const end = corners.at(-1)?.[1] ?? 0;
      same(y(end), gaps.length === 0 ? 0 : 1, where);

      const marks = Object.values(verdicts).flatMap((verdict) =>
        verdict.marks.filter(({ chart: { of } }) => of === 'gaps'),
      );
      expectMarks(
        drawn,
        x,
        marks.map(({ at }) => at),
        where,
      );
      for (const { of } of drawn.filter(({ tag }) => tag === 'circle')) {
        const [near] = marks.toSorted((a, b) => Math.abs(a.at - x(Number(of.cx))) - Math.abs(b.at - x(Number(of.cx))));
        same(y(Number(of.cy)), upTo(gaps, near.at), `${where}, ring at ${near.at}`);
      }

      const spoken = spokenIn(chart);
      const widths = [...spoken.matchAll(/ up to ([\d\u202f]+)/g)].map(([, text]) =>
        Number(text.replaceAll('\u202f', '')),
      );
      const one = number(longest);
      const run = `The longest run has {longest} ${longest === 1 ? 'non-zero' : 'non-zeros'}`;
      if (gaps.length === 0) read.sentence(spoken, 'There are no gaps.', {}, where);
      else {
        const facts: Record<string, Facts[string]> = { gaps: number(gaps.length), longest: one };
        const parts = widths.map((width, i) => {
          facts[`share${i}`] = { ...percent(upTo(gaps, width)), digits: 1 };
          facts[`width${i}`] = number(width);
          return `{share${i}} are up to {width${i}}`;
        });
        read.sentence(
          spoken,
          `Of {gaps} ${gaps.length === 1 ? 'gap' : 'gaps'}, ${parts.join(', ')} columns wide. ${run}.`,
          facts,
          where,
        );
      }
      const note =
        /<p class="leading-145 [^"]*">(.*?)<\/p>/
          .exec(chart)?.[1]
          .split(' <')[0]
          .replace(/<span.*/, '') ?? '';
      if (longest === 0) expect(note, where).toBe('');
      else read.sentence(note.trim(), `${run} in neighbouring columns.`, { longest: one }, where);

      for (const [name, many, part, until] of tableIn(chart).slice(1)) {
        const gap = Number(name.replaceAll('\u202f', ''));
        const facts = {
          many: number(gaps.filter((its) => its === gap).length),
          part: { ...percent(gaps.length === 0 ? 0 : share(gap)), digits: 1 },
          until: { ...percent(upTo(gaps, gap)), digits: 1 },
        };
        if (part.startsWith('<')) {
          expect(facts.part.value, where).toBeLessThan(0.05);
          read.sentence(`${many}, ${until}`, '{many}, {until}', facts, `${where}, ${name}`);
        } else read.sentence(`${many}, ${part}, ${until}`, '{many}, {part}, {until}', facts, `${where}, ${name}`);
      }
    }
    expect(read.met('{many}, {part}, {until}')).toBeGreaterThan(100);
  });

  it('have how many rows, groups and pairs hold how much, what does not fit, and where the mean is', () => {
    const read = new Read();
    for (const [where, m] of matrices()) {
      const { rows, lengths } = counted(m);
      const { charts, verdicts, shared } = chartsOf(where, m);
      const all = Object.values(verdicts).flatMap(({ marks }) => marks);
      const ofRows = charts.get('Non-zeros per row') ?? '';
      const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
      expectCounts(read, ofRows, lengths, { one: 'row', mean: rows.length === 0 ? null : mean(lengths) }, where);

      for (const [title, chart] of charts) {
        const width = Number(/^Non-zeros per (\d+) columns$/.exec(title)?.[1]);
        if (Number.isNaN(width)) continue;
        const marks = all.filter((mark) => mark.chart.of === 'groups' && mark.chart.width === width && mark.isLimit);
        const limit = Math.min(...marks.map(({ at }) => at));
        expectCounts(read, chart, inGroups(rows, m.cols, width), { one: 'group', limit }, `${where}, ${title}`);
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
      expect(pairs !== undefined, where).toBe(rows.length > 1);
      if (pairs === undefined) continue;
      const holds = rows.map((columns) => new Set(columns));
      const { sampled } = shared;
      const both = (a: number, b: number): number => rows[a].filter((column) => holds[b].has(column)).length;
      const counts: number[] = [];
      const chance: number[] = [];
      for (const [i, a] of sampled.entries()) {
        for (let b = 0; b < rows.length; b++) {
          if (b === a || sampled.slice(0, i).includes(b)) continue;
          counts.push(both(a, b));
          chance.push((rows[a].length * rows[b].length) / m.cols);
        }
      }
      const best = sampled.map((a) => Math.max(...rows.map((_, b) => (a === b ? 0 : both(a, b)))));
      const who = sampled.length === rows.length ? 'Each of {rows} rows' : 'Each of {rows} sampled rows';
      expectCounts(
        read,
        pairs,
        counts,
        {
          one: 'pair',
          mean: mean(counts),
          note: {
            rule: `${who} shares {mean} columns with another on average, {chance} by chance, {best} with the best.`,
            facts: {
              rows: number(sampled.length),
              mean: number(mean(counts)),
              chance: number(m.cols === 0 ? 0 : mean(chance)),
              best: number(mean(best)),
            },
          },
        },
        `${where}, pairs`,
      );
    }
  });
});
