import { Fragment } from 'react';
import { clampTo } from './axis.ts';
import { spreadLabels, textWidth } from './label-room.ts';
import type { Plot } from './plot.ts';
import { rightmost, type Rule, type Series, seriesKey } from './series.ts';
import { SeriesSample } from './SeriesMarks.tsx';

// The labels of a chart outside of its plot, and its legend.

/** Height of a label's line of text, px. */
const NAME_HEIGHT = 16;
/** A label that was moved further than this gets a line to the end of its curve, px. */
const MAX_MOVED = 4;
/** Width of the space for these lines, px. */
const LEADER = 22;

/** A label of two lines above the plot, at a position along x. */
export interface ChartHeadLabel {
  readonly id: string;
  readonly x: number;
  readonly title: string;
  readonly text: string;
  readonly color?: string;
}

interface EndLabelsProps {
  readonly plot: Plot;
  readonly series: readonly Series[];
  readonly rules: readonly Rule[];
  /** group of the lines that are highlighted; null: none */
  readonly strong: string | null;
}

/** Labels at the right ends of lines and of rules (horizontal lines), moved up and down until none overlap. */
export function EndLabels({ plot: { x, y, top, right, bottom }, series, rules, strong }: EndLabelsProps) {
  const within = (value: number): number => clampTo([top, bottom], y(value));
  const names = [
    ...series.flatMap((s) => {
      const { title, textColor: color = null, group = s.id } = s;
      const end = title === null ? null : rightmost(s.points, x);
      return end === null ? [] : [{ key: seriesKey(s), at: within(end.y), title, color, group }];
    }),
    ...rules.flatMap(({ id, at, title, color = null }) =>
      title === null ? [] : [{ key: `rule ${id}`, at: within(at), title, color, group: null }],
    ),
  ];
  const placed = spreadLabels(
    names.map(({ key, at }) => ({ key, at, size: NAME_HEIGHT })),
    top - NAME_HEIGHT / 2,
    bottom + NAME_HEIGHT / 2,
  );
  const isFar = names.some(({ key, at }) => Math.abs((placed.get(key) ?? at) - at) > MAX_MOVED);
  return names.map(({ key, at, title, color, group }) => (
    <Fragment key={key}>
      {isFar && (
        <path
          className="plot-leader fill-none stroke-muted"
          style={color === null ? {} : { stroke: color }}
          d={`M${right + 3} ${at}L${right + LEADER - 4} ${placed.get(key) ?? at}`}
        />
      )}
      <text
        className="plot-name data-strong:underline"
        data-strong={group !== null && group === strong ? '' : undefined}
        style={color === null ? {} : { fill: color, fontWeight: 600 }}
        x={right + (isFar ? LEADER : 10)}
        y={placed.get(key)}
        dy="0.35em"
      >
        {title}
      </text>
    </Fragment>
  ));
}

interface HeadLabelsProps {
  readonly plot: Plot;
  readonly heads: readonly ChartHeadLabel[];
  readonly width: number;
}

/** Labels above the plot, moved until none overlaps another. */
export function HeadLabels({ plot: { x, left, top }, heads, width }: HeadLabelsProps) {
  const placed = spreadLabels(
    heads.map((h) => ({
      key: h.id,
      at: x(h.x),
      size: 10 + textWidth(h.title.length > h.text.length ? h.title : h.text),
    })),
    left,
    width,
  );
  return heads.map(({ id, title, text, color }) => (
    <g key={id} textAnchor="middle">
      <text
        className="plot-name"
        style={color === undefined ? {} : { fill: color, fontWeight: 600 }}
        x={placed.get(id)}
        y={top - 24}
      >
        {title}
      </text>
      <text x={placed.get(id)} y={top - 9}>
        {text}
      </text>
    </g>
  ));
}

/** The legend, if there is no space for labels at line ends. */
export function Legend({ series, rules }: Pick<EndLabelsProps, 'series' | 'rules'>) {
  return (
    <ul className="flex flex-wrap gap-y-1 gap-x-4 text-12 mb-2" aria-hidden="true">
      {series
        .filter((s) => s.title !== null)
        .map((s) => (
          <li key={seriesKey(s)} className="flex items-center gap-2" style={{ color: s.color }}>
            <SeriesSample kind={s.kind} dashed={s.dashed ?? false} />
            <span className="text-muted">{s.title}</span>
          </li>
        ))}
      {rules
        .filter((r) => r.title !== null)
        .map((r) => (
          <li
            key={`rule ${r.id}`}
            className="flex items-center gap-2"
            style={{ color: r.color ?? 'var(--text-quiet)' }}
          >
            <SeriesSample kind="limit" dashed={r.kind === 'dotted'} />
            <span className="text-muted">{r.title}</span>
          </li>
        ))}
    </ul>
  );
}
