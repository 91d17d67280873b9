import { Fragment } from 'react';
import { clampTo, type Plot, type Scale } from './axis.ts';
import { spreadLabels, textWidth, type Box, freePosition } from './label-space.ts';
import { rightmost, type Rule, type Series, seriesKey } from './series.ts';
import { SeriesSample } from './SeriesMarks.tsx';
import { densityText } from '../words/shares.ts';

// The words of a chart: at its lines and points, above and below its plot, and in its legend.

/** Height of a label's line of text, px. */
const NAME_HEIGHT = 16;
/** If any label was moved further than this, every label gets a line to the end of its curve, px. */
const MAX_MOVED = 4;
/** Width of the space for these lines, px. */
const LEADER_WIDTH = 22;

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
      return end === null ? [] : [{ key: seriesKey(s), labelY: within(end.y), lineX: x(end.x), title, color, group }];
    }),
    ...rules.flatMap(({ id, position, title, color = null }) =>
      title === null ? [] : [{ key: `rule ${id}`, labelY: within(position), lineX: right, title, color, group: null }],
    ),
  ];
  const positions = spreadLabels(
    names.map(({ key, labelY }) => ({ key, at: labelY, size: NAME_HEIGHT })),
    top - NAME_HEIGHT / 2,
    bottom + NAME_HEIGHT / 2,
  );
  const isFar = names.some(({ key, labelY }) => Math.abs((positions.get(key) ?? labelY) - labelY) > MAX_MOVED);
  return names.map(({ key, labelY, lineX, title, color, group }) => (
    <Fragment key={key}>
      {isFar && (
        <path
          className="plot-leader fill-none stroke-muted"
          style={color === null ? {} : { stroke: color }}
          d={`M${Math.min(right, lineX)} ${labelY}L${right + LEADER_WIDTH - 4} ${positions.get(key) ?? labelY}`}
        />
      )}
      <text
        className="plot-name data-strong:underline"
        data-strong={group !== null && group === strong ? '' : undefined}
        style={color === null ? {} : { fill: color, fontWeight: 600 }}
        x={right + (isFar ? LEADER_WIDTH : 10)}
        y={positions.get(key)}
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
  const positions = spreadLabels(
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
        x={positions.get(id)}
        y={top - 24}
      >
        {title}
      </text>
      <text x={positions.get(id)} y={top - 9}>
        {text}
      </text>
    </g>
  ));
}

/** The legend, if there is no space for labels at line ends. */
export function Legend({ series, rules }: Pick<EndLabelsProps, 'series' | 'rules'>) {
  const entries: readonly (Pick<Series, 'title' | 'color' | 'kind' | 'dashed'> & { readonly key: string })[] = [
    ...series.map((s) => ({ ...s, key: seriesKey(s) })),
    ...rules.map(({ id, title, kind, color = 'var(--text-quiet)' }) => {
      return { key: `rule ${id}`, title, color, kind: 'limit' as const, dashed: kind === 'dotted' };
    }),
  ];
  return (
    <ul className="flex flex-wrap gap-y-1 gap-x-4 text-12 mb-2" aria-hidden="true">
      {entries
        .filter(({ title }) => title !== null)
        .map(({ key, title, color, kind, dashed = false }) => (
          <li key={key} className="flex items-center gap-2" style={{ color }}>
            <SeriesSample kind={kind} dashed={dashed} />
            <span className="text-muted">{title}</span>
          </li>
        ))}
    </ul>
  );
}

/** A short text about a point of a chart, written in a free spot near the point, with a line between them. */
export interface ChartNote {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color?: string;
}

/** A label on a line, for lines of the same colour, which a legend cannot distinguish. */
export type ChartLabel = ChartNote;

interface PointNotesProps {
  readonly plot: Plot;
  readonly notes: readonly ChartNote[];
  /** areas to keep free of notes */
  readonly labels: readonly ChartLabel[];
}

/** How far a note may extend beyond a narrow plot, px. */
const NOTE_OVERHANG = 20;

/** The space of a label around its point, px. */
function boxOf({ x: atX, y: atY, text }: ChartLabel, x: Scale, y: Scale): Box {
  const width = textWidth(text);
  return { left: x(atX) - width / 2, top: y(atY) - NAME_HEIGHT / 2, width, height: NAME_HEIGHT };
}

/** Labels on their lines. A label that would overlap another is left out, since the table contains it. */
export function LineLabels({ plot: { x, y }, labels }: Omit<PointNotesProps, 'notes'>) {
  const occupiedBoxes: Box[] = [];
  return labels.map((label) => {
    const position = freePosition([boxOf(label, x, y)], occupiedBoxes);
    if (position === null) return null;
    occupiedBoxes.push(position);
    return (
      <text
        key={label.text}
        className="plot-name halo"
        style={label.color === undefined ? {} : { fill: label.color, fontWeight: 600 }}
        x={x(label.x)}
        y={y(label.y)}
        dy="0.35em"
        textAnchor="middle"
      >
        {label.text}
      </text>
    );
  });
}

/** Positions to try for a note, as offsets from its point, px; the first free one is used. */
const NOTE_OFFSETS = [
  [16, 26],
  [16, -20],
  [-16, 26],
  [-16, -20],
  [16, 48],
  [16, -42],
  [-16, 48],
  [-16, -42],
  [28, 4],
  [-28, 4],
  [28, 70],
  [-28, 70],
] as const;

/** Half the width of the space of a point's mark, px. */
const MARK_RADIUS = 6;

/** Notes near their points that overlap neither labels, nor points of other notes, nor each other. */
export function PointNotes({ plot: { x, y, left, right, top, bottom, narrow }, notes, labels }: PointNotesProps) {
  // A narrow chart has no labels at line ends.
  const edge = narrow ? right + NOTE_OVERHANG : right;
  const occupiedBoxes: Box[] = [
    ...labels.map((label) => boxOf(label, x, y)),
    ...notes.map((note) => ({
      left: x(note.x) - MARK_RADIUS,
      top: y(note.y) - MARK_RADIUS,
      width: 2 * MARK_RADIUS,
      height: 2 * MARK_RADIUS,
    })),
  ];
  return notes.map((note) => {
    const width = textWidth(note.text);
    const [px, py] = [x(note.x), y(note.y)];
    const boxes = NOTE_OFFSETS.map(([dx, dy]) => ({
      left: dx > 0 ? px + dx : px + dx - width,
      top: py + dy - 10,
      width,
      height: NAME_HEIGHT,
      start: dx > 0,
      anchor: [px + dx, py + dy] as const,
    })).filter((b) => b.left >= left && b.left + width <= edge && b.top >= top && b.top + b.height <= bottom);
    const position = freePosition(boxes, occupiedBoxes);
    const style = note.color === undefined ? {} : { stroke: note.color };
    const ring = (
      <circle className="plot-ring fill-ground stroke-ink stroke-[1.5px]" style={style} cx={px} cy={py} r={4} />
    );
    // Without space for the text, the point is still marked: the chart's table contains the values.
    if (position === null) return <g key={`${note.x} ${note.y} ${note.text}`}>{ring}</g>;
    occupiedBoxes.push(position);
    const [textX, textY] = position.anchor;
    return (
      <g key={`${note.x} ${note.y} ${note.text}`}>
        <path
          className="plot-leader fill-none stroke-muted"
          d={`M${px} ${py}L${textX - (position.start ? 4 : -4)} ${textY - 4}`}
        />
        {ring}
        <text
          className="plot-name halo"
          style={note.color === undefined ? {} : { fill: note.color }}
          x={textX}
          y={textY}
          textAnchor={position.start ? 'start' : 'end'}
        >
          {note.text}
        </text>
      </g>
    );
  });
}

interface CursorShareProps {
  readonly plot: Plot;
  /** the position of the cursor along x */
  readonly x: number;
  /** the share of weights left there, 0 to 1 */
  readonly share?: number;
}

/** The share of weights left at a chart's cursor, as text below the cursor's handle. */
export function CursorShare({ plot: { x, bottom }, x: cursorX, share = cursorX }: CursorShareProps) {
  return (
    <text className="plot-thumb-text font-semibold fill-ink text-12" x={x(cursorX)} y={bottom + 33} textAnchor="middle">
      {densityText(share)}
    </text>
  );
}
