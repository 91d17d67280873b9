import { curveLinear, curveMonotoneX, curveStepAfter, line } from 'd3-shape';
import { memo } from 'react';
import { classes } from '../primitives/classes.ts';
import type { Scale } from './axis.ts';
import type { ChartPoint, Series, SeriesKind } from './series.ts';

const JOINS = { curve: curveMonotoneX, straight: curveLinear, steps: curveStepAfter } as const;

/** The style of a line by its kind. The docstring of `SeriesKind` defines each kind. */
const LINE_CLASS: Readonly<Record<SeriesKind, string>> = {
  measured: 'stroke-[2px]',
  expected: 'stroke-[2px]',
  encoded: 'stroke-[2px]',
  limit: 'series-line--thin stroke-[1px] opacity-75',
  predicted: 'series-line--predicted stroke-[1px] [stroke-dasharray:4_3]',
  published: 'stroke-[1px] opacity-40',
  live: 'stroke-[2px]',
  coming: 'series-line--predicted stroke-[1px] [stroke-dasharray:4_3]',
};

/** Kinds whose points are not joined. */
const UNJOINED: ReadonlySet<SeriesKind> = new Set<SeriesKind>(['encoded', 'published', 'live', 'coming']);

/** The mark of a point, around its position in px. */
interface PointMark {
  readonly className: string;
  readonly around: (x: number, y: number) => string;
}

const DOT: PointMark = { className: 'series-dots', around: (x, y) => `M${x} ${y}h0` };

const POINT_MARKS: { readonly [K in SeriesKind]?: PointMark } = {
  measured: DOT,
  encoded: DOT,
  published: {
    className: 'series-squares stroke-[1.5px] fill-ground',
    around: (x, y) => `M${x - 3.5} ${y - 3.5}h7v7h-7z`,
  },
  live: {
    className: 'fill-ground stroke-[2px]',
    around: (x, y) => `M${x - 4.5} ${y}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0`,
  },
  coming: {
    className: '[stroke-dasharray:2_2] fill-none',
    around: (x, y) => `M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0`,
  },
};

const LINE = 'series-line fill-none in-data-strong:stroke-[3.5px] in-data-strong:opacity-100';

/** The line of a series; `d`: its path. */
function Line({ kind, dashed, d }: { readonly kind: SeriesKind; readonly dashed: boolean; readonly d: string }) {
  const dashClass = dashed && 'series-line--dashed [stroke-dasharray:4_3]';
  return <path className={classes(LINE, LINE_CLASS[kind], dashClass)} stroke="currentColor" d={d} />;
}

interface SeriesMarksProps {
  readonly series: Series;
  readonly x: Scale;
  readonly y: Scale;
  readonly strong: boolean;
}

/** The marks of a series: its line, whiskers and dots. All dots are one path, since there may be a thousand. */
export const SeriesMarks = memo(function SeriesMarks({ series, x, y, strong }: SeriesMarksProps) {
  const { kind, points, join = UNJOINED.has(kind) ? 'none' : 'curve', dashed = false } = series;
  const placed = points.filter((p) => Number.isFinite(x(p.x)) && Number.isFinite(y(p.y)));
  const mark = POINT_MARKS[kind];
  const curve = line<ChartPoint>()
    .x((p) => x(p.x))
    .y((p) => y(p.y));
  const whiskers = placed.filter((p) => p.low !== undefined && p.high !== undefined);
  return (
    <g data-strong={strong ? '' : undefined} style={{ color: series.color }}>
      {join !== 'none' && <Line {...{ kind, dashed }} d={curve.curve(JOINS[join])(placed) ?? ''} />}
      {whiskers.length > 0 && (
        <path
          className="series-whiskers opacity-50"
          stroke="currentColor"
          d={whiskers.map((p) => `M${x(p.x)} ${y(p.low ?? p.y)}V${y(p.high ?? p.y)}`).join('')}
        />
      )}
      {mark && (
        <path
          className={kind === 'published' && dashed ? `${mark.className} [stroke-dasharray:2_2]` : mark.className}
          stroke="currentColor"
          d={placed.map((p) => mark.around(x(p.x), y(p.y))).join('')}
        />
      )}
    </g>
  );
});

/** A short piece of a series, for a legend. */
export function SeriesSample({ kind, dashed = false }: Pick<Series, 'kind' | 'dashed'>) {
  const mark = POINT_MARKS[kind];
  return (
    <svg width="20" height="10" aria-hidden="true">
      {!UNJOINED.has(kind) && <Line {...{ kind, dashed }} d="M0 5H20" />}
      {mark && <path className={mark.className} stroke="currentColor" d={mark.around(10, 5)} />}
    </svg>
  );
}
