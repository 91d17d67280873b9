import { curveLinear, curveMonotoneX, curveStepAfter, line } from 'd3-shape';
import { memo } from 'react';
import type { Scale } from './axis.ts';
import type { ChartPoint, Series, SeriesKind } from './series.ts';

const JOINS = { curve: curveMonotoneX, straight: curveLinear, steps: curveStepAfter } as const;

const LINE_CLASS: Readonly<Record<SeriesKind, string>> = {
  measured: 'series-line',
  expected: 'series-line',
  encoded: 'series-line',
  limit: 'series-line series-line--thin',
  predicted: 'series-line series-line--predicted',
  published: 'series-line series-line--faint',
  live: 'series-line',
  coming: 'series-line series-line--predicted',
};

const UNJOINED: ReadonlySet<SeriesKind> = new Set<SeriesKind>(['encoded', 'published', 'live', 'coming']);

interface SeriesMarksProps {
  readonly series: Series;
  readonly x: Scale;
  readonly y: Scale;
  readonly strong: boolean;
}

/**
 * A line with its whiskers and its dots. All dots of a series are one path, since there may be a thousand. It is drawn again
 * only if a prop changes, so moving the cursor does not draw it.
 */
export const SeriesMarks = memo(function SeriesMarks({ series, x, y, strong }: SeriesMarksProps) {
  const { kind, points, join = UNJOINED.has(kind) ? 'none' : 'curve', dashed = false } = series;
  const placed = points.filter((p) => Number.isFinite(x(p.x)) && Number.isFinite(y(p.y)));
  const whiskers = placed.filter((p) => p.low !== undefined && p.high !== undefined);
  return (
    <g className="series" data-strong={strong ? '' : undefined} style={{ color: series.color }}>
      {join !== 'none' && (
        <path
          className={dashed ? `${LINE_CLASS[kind]} series-line--dashed` : LINE_CLASS[kind]}
          stroke="currentColor"
          d={
            line<ChartPoint>(
              (p) => x(p.x),
              (p) => y(p.y),
            ).curve(JOINS[join])(placed) ?? ''
          }
        />
      )}
      {whiskers.length > 0 && (
        <path
          className="series-whiskers"
          stroke="currentColor"
          d={whiskers.map((p) => `M${x(p.x)} ${y(p.low ?? p.y)}V${y(p.high ?? p.y)}`).join('')}
        />
      )}
      {(kind === 'measured' || kind === 'encoded') && (
        <path className="series-dots" stroke="currentColor" d={placed.map((p) => `M${x(p.x)} ${y(p.y)}h0`).join('')} />
      )}
      {kind === 'published' && (
        <path
          className={`series-squares stroke-15 fill-ground${series.dashed ? ' series-coming' : ''}`}
          stroke="currentColor"
          d={placed.map((p) => `M${x(p.x) - 3.5} ${y(p.y) - 3.5}h7v7h-7z`).join('')}
        />
      )}
      {kind === 'live' && (
        <path
          className="fill-ground stroke-2"
          stroke="currentColor"
          d={placed.map((p) => `M${x(p.x) - 4.5} ${y(p.y)}a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0`).join('')}
        />
      )}
      {kind === 'coming' && (
        <path
          className="series-coming fill-none"
          stroke="currentColor"
          d={placed.map((p) => `M${x(p.x) - 3.5} ${y(p.y)}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0`).join('')}
        />
      )}
    </g>
  );
});

/** A short piece of a series, for a legend. */
export function SeriesSample({ kind, dashed = false }: Pick<Series, 'kind' | 'dashed'>) {
  return (
    <svg className="series" width="20" height="10" aria-hidden="true">
      {!UNJOINED.has(kind) && (
        <path
          className={dashed ? `${LINE_CLASS[kind]} series-line--dashed` : LINE_CLASS[kind]}
          stroke="currentColor"
          d="M0 5H20"
        />
      )}
      {(kind === 'measured' || kind === 'encoded') && (
        <path className="series-dots" stroke="currentColor" d="M10 5h0" />
      )}
      {kind === 'published' && (
        <path className="series-squares stroke-15 fill-ground" stroke="currentColor" d="M6.5 1.5h7v7h-7z" />
      )}
    </svg>
  );
}
