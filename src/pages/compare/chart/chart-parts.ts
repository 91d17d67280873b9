/* What the charts of Compare have in common: axis, slider, colours, dots, and tables. */

import type { Pruning } from '../../../engine/matrix/source-types.ts';
import { type Axis, clampTo } from '../../../kit/charts/axis.ts';
import type { ChartTable } from '../../../kit/charts/chart-csv.ts';
import type { ChartNote } from '../../../kit/charts/ChartWords.tsx';
import { type ChartCursor, linearSteps } from '../../../kit/charts/cursor.ts';
import type { Series } from '../../../kit/charts/series.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import type { PublishedLine } from '../../../kit/report/use-published.ts';
import { densityText, roughDensityText } from '../../../kit/words/shares.ts';
import type { ChartLine } from '../curves/chart-lines.ts';

/** The axis of the density, in percent. */
export const DENSITY_AXIS: Axis = {
  scale: 'linear',
  domain: [0, 1],
  ticks: [0, 0.2, 0.4, 0.6, 0.8, 1],
  text: (density) => String(Number((100 * density).toPrecision(3))),
  title: 'density, %',
};

/** Properties of all charts by density. */
export interface DensityChartBaseProps {
  readonly cursor: ChartCursor;
  readonly height: number;
  /** a legend replaces the names at line ends */
  readonly narrow?: boolean;
  /** the format whose lines and dots are highlighted; null for none. `onStrong`: changes it */
  readonly strong: string | null;
  readonly onStrong: (group: string | null) => void;
}

/** The densities that the slider can reach. */
const SLIDER_RANGE = [0.01, 1] as const;

/** The slider on the axis, at this density: dragging calls `onMove` with each new density, then `onRelease`. */
export function densityCursor(density: number, onMove: (density: number) => void, onRelease: () => void): ChartCursor {
  return {
    x: density,
    label: 'density',
    text: densityText(density),
    step: linearSteps(0.01),
    onMove: (to) => onMove(clampTo(SLIDER_RANGE, Number(to.toFixed(2)))),
    onRelease,
  };
}

/** The N:M prunings at which the slider stops; beyond 2:4, patterns (2N - 2):2N that slide onto 2:4 hardware. */
const OFFERED_PATTERNS: readonly (readonly [kept: number, group: number])[] = [
  [1, 16],
  [1, 8],
  [1, 4],
  [2, 4],
  [4, 6],
  [6, 8],
  [8, 10],
  [10, 12],
  [12, 14],
  [14, 16],
];

/** The same pruning with another density; for N:M, the pattern of the lowest density that is at least this. */
export function prunedTo(pruning: Pruning | null, density: number): Pruning {
  if (pruning === null) return { way: 'magnitude', density };
  if (pruning.way !== 'n-of-m') return { ...pruning, density };
  const pattern = OFFERED_PATTERNS.find(([kept, group]) => kept / group >= density - 1e-9);
  const [kept, group] = pattern ?? OFFERED_PATTERNS[OFFERED_PATTERNS.length - 1];
  return { way: 'n-of-m', kept, group };
}

/** The colours of a format's lines and dots, which are highlighted together. */
export function formatStyle(format: string): Pick<Series, 'color' | 'textColor' | 'group'> {
  return { color: cssColorOf(format), textColor: cssTextColorOf(format), group: format };
}

/** The style of a line: A and B, the two compared formats, thick, the others thin, values of fewer bits dashed. */
export function lineSeries({ key, title, format, side, isQuantised }: ChartLine, points: Series['points']): Series {
  const kind = side === null ? 'limit' : 'expected';
  return { ...formatStyle(format.id), id: key, kind, title, join: 'straight', dashed: isQuantised, points };
}

/** A note where a format's line crosses another: a ring, and the density at which they cross. */
export function crossingNote(density: number, y: number, { format }: ChartLine): ChartNote {
  return { x: density, y, text: roughDensityText(density), color: cssTextColorOf(format.id) };
}

/** A measured, encoded or published figure of a format at one density. */
export interface Dot {
  readonly format: string;
  readonly title: string;
  readonly density: number;
  readonly y: number;
}

/** Dots as series, one for each title. */
export function dotSeries(dots: readonly Dot[], kind: 'encoded' | 'published'): readonly Series[] {
  return titlesOf(dots).map((title): Series => {
    const titled = dots.filter((dot) => dot.title === title);
    return {
      ...formatStyle(titled[0].format),
      id: title,
      kind,
      title: null,
      points: titled.map(({ density, y }) => ({ x: density, y })),
    };
  });
}

/** Published figures as series of squares. */
export function squareSeries(published: readonly PublishedLine[]): readonly Series[] {
  return published.map(({ format, figures }): Series => ({
    ...formatStyle(format),
    id: `${format} ${figures.title}`,
    kind: 'published',
    title: null,
    points: figures.points.map(({ density, value }) => ({ x: density, y: value })),
  }));
}

/** A column of a chart's table; NaN where it has no figure. */
export interface DensityColumn {
  readonly title: string;
  readonly valueAt: (density: number) => number;
}

/** For each title, a table column of its dots. */
export function dotColumns(dots: readonly Dot[], what: string): readonly DensityColumn[] {
  return titlesOf(dots).map((title) => ({
    title: `${title}, ${what}`,
    valueAt: (density) =>
      dots.find((dot) => dot.title === title && Math.abs(dot.density - density) < 1e-9)?.y ?? Number.NaN,
  }));
}

function titlesOf(dots: readonly Dot[]): readonly string[] {
  return [...new Set(dots.map(({ title }) => title))];
}

/** The table of a chart: a row for each density, ascending. */
export function densityTable(
  densities: readonly number[],
  columns: readonly DensityColumn[],
  text: (value: number) => string,
): ChartTable {
  return {
    head: ['density', ...columns.map(({ title }) => title)],
    rows: [...new Set(densities)]
      .toSorted((a, b) => a - b)
      .map((density) => {
        const values = columns
          .map(({ valueAt }) => valueAt(density))
          .map((value) => (Number.isFinite(value) ? value : null));
        return {
          name: densityText(density),
          cells: values.map((value) => (value === null ? '–' : text(value))),
          values: [density, ...values],
        };
      }),
  };
}
