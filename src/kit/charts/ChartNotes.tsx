import type { Scale } from './axis.ts';
import { type Box, freePlace, textWidth } from './label-room.ts';
import type { Plot } from './plot.ts';

/** A short text about a point of a chart, written in a free spot near the point, with a line between them. */
export interface ChartNote {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly color?: string;
}

/** A label on a line, for lines of the same colour, which a legend could not tell apart. */
export type ChartLabel = ChartNote;

interface PointNotesProps {
  readonly plot: Plot;
  readonly notes: readonly ChartNote[];
  /** areas to keep free of notes */
  readonly labels: readonly ChartLabel[];
}

const LABEL_HEIGHT = 16; // px
/** How far a note may extend beyond a narrow plot, px. */
const NOTE_OVERHANG = 20;

/** The space of a label around its point, px. */
function boxOf({ x: atX, y: atY, text }: ChartLabel, x: Scale, y: Scale): Box {
  const width = textWidth(text);
  return { left: x(atX) - width / 2, top: y(atY) - LABEL_HEIGHT / 2, width, height: LABEL_HEIGHT };
}

/** Labels on their lines. A label that would overlap another is left out, since the table contains it. */
export function LineLabels({ plot: { x, y }, labels }: Omit<PointNotesProps, 'notes'>) {
  const taken: Box[] = [];
  return labels.map((label) => {
    const place = freePlace([boxOf(label, x, y)], taken);
    if (place === null) return null;
    taken.push(place);
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

/** Places for a note, as offsets from its point, px; the first free place is taken. */
const NOTE_PLACES = [
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

/** Half the width of a point's mark, px. */
const MARK = 6;

/** Notes near their points that overlap neither labels, nor points of others, nor each other. */
export function PointNotes({ plot: { x, y, left, right, top, bottom, narrow }, notes, labels }: PointNotesProps) {
  // A narrow chart has no labels at line ends.
  const edge = narrow ? right + NOTE_OVERHANG : right;
  const taken: Box[] = [
    ...labels.map((label) => boxOf(label, x, y)),
    ...notes.map((note) => ({ left: x(note.x) - MARK, top: y(note.y) - MARK, width: 2 * MARK, height: 2 * MARK })),
  ];
  return notes.map((note) => {
    const width = textWidth(note.text);
    const [px, py] = [x(note.x), y(note.y)];
    const boxes = NOTE_PLACES.map(([dx, dy]) => ({
      left: dx > 0 ? px + dx : px + dx - width,
      top: py + dy - 10,
      width,
      height: 16,
      start: dx > 0,
      at: [px + dx, py + dy] as const,
    })).filter((b) => b.left >= left && b.left + width <= edge && b.top >= top && b.top + b.height <= bottom);
    const place = freePlace(boxes, taken);
    const style = note.color === undefined ? {} : { stroke: note.color };
    const ring = (
      <circle className="plot-ring fill-ground stroke-ink stroke-[1.5px]" style={style} cx={px} cy={py} r={4} />
    );
    // Without space for the text, the point is still marked: the chart's table contains the values.
    if (place === null) return <g key={`${note.x} ${note.text}`}>{ring}</g>;
    taken.push(place);
    const [textX, textY] = place.at;
    return (
      <g key={`${note.x} ${note.text}`}>
        <path
          className="plot-leader fill-none stroke-muted"
          d={`M${px} ${py}L${textX - (place.start ? 4 : -4)} ${textY - 4}`}
        />
        {ring}
        <text
          className="plot-name halo"
          style={note.color === undefined ? {} : { fill: note.color }}
          x={textX}
          y={textY}
          textAnchor={place.start ? 'start' : 'end'}
        >
          {note.text}
        </text>
      </g>
    );
  });
}
