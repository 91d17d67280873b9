// Points of the quality charts that are on no curve: as shapes, and as buttons over them.

import type { Scale, Plot } from '../../../../src/kit/charts/axis.ts';
import type { QualityPoint } from './points.ts';

/** A point of the chart of quality by density that is on no curve: N:M, further training, or another value type. */
export interface Mark {
  readonly point: QualityPoint;
  readonly x: number;
  readonly y: number;
  readonly text: string | null;
  /** whether the name is under the mark instead of next to it */
  readonly isNamedBelow?: boolean;
}

/** A published result for another model, drawn as a diamond. */
export interface PublishedPoint {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly text: readonly string[];
  /** where the text begins or ends, in free space */
  readonly textAt: { readonly x: number; readonly y: number; readonly anchor: 'start' | 'end' };
}

function kindOf({ trained, pattern }: QualityPoint): 'trained' | 'pattern' | 'type' {
  if (trained > 0) return 'trained';
  return pattern === null ? 'type' : 'pattern';
}

const COLORS = { trained: 'var(--good)', pattern: 'var(--quality-pattern)', type: 'var(--text-muted)' } as const;

/** The colour of a mark and of its name. */
export function markColor(point: QualityPoint): string {
  return COLORS[kindOf(point)];
}

/** Height of a name, px. Names of marks whose horizontal distance is less are put above each other. */
const LINE = 14;

/** Baselines of the names in px, apart from each other for marks of about the same density and the same kind. */
function nameBaselines(marks: readonly Mark[], x: Scale, y: Scale): ReadonlyMap<Mark, number> {
  const baselines = new Map<Mark, number>();
  const named = marks.filter(({ text }) => text !== null).toSorted((a, b) => y(b.y) - y(a.y));
  for (const mark of named) {
    let baseline = y(mark.y) - 6;
    for (const [other, below] of baselines) {
      const isNextTo = kindOf(other.point) === kindOf(mark.point) && Math.abs(x(other.x) - x(mark.x)) < LINE;
      if (isNextTo) baseline = Math.min(baseline, below - LINE);
    }
    baselines.set(mark, baseline);
  }
  return baselines;
}

/** Squares for N:M, filled dots for further training and other value types. */
export function Marks({ plot: { x, y }, marks }: { readonly plot: Plot; readonly marks: readonly Mark[] }) {
  const baselines = nameBaselines(marks, x, y);
  return marks.map((mark) => {
    const { point, x: atX, y: atY, text, isNamedBelow = false } = mark;
    const [px, py] = [x(atX), y(atY)];
    const kind = kindOf(point);
    return (
      <g key={point.id} className="quality-mark" data-kind={kind} style={{ color: COLORS[kind] }}>
        {kind === 'pattern' ? <rect x={px - 4} y={py - 4} width={8} height={8} /> : <circle cx={px} cy={py} r={4} />}
        {text !== null && (
          <text
            className="halo font-sans"
            x={isNamedBelow ? px : px + 7}
            y={isNamedBelow ? py + 18 : baselines.get(mark)}
            textAnchor={isNamedBelow ? 'middle' : 'start'}
          >
            {text}
          </text>
        )}
      </g>
    );
  });
}

interface PublishedPointsProps {
  readonly plot: Plot;
  readonly published: readonly PublishedPoint[];
}

/** Published results for other models, as diamonds. */
export function PublishedPoints({ plot: { x, y, narrow }, published }: PublishedPointsProps) {
  return published.map(({ id, x: atX, y: atY, text, textAt }) => {
    const [px, py] = [x(atX), y(atY)];
    return (
      <g key={id}>
        <path className="fill-ground stroke-ink stroke-[1.5px]" d={`M${px} ${py - 6}l6 6l-6 6l-6 -6z`} />
        {text.slice(0, narrow ? 1 : text.length).map((line, i) => (
          <text
            key={line}
            className="halo font-sans"
            x={x(textAt.x)}
            y={y(textAt.y) + 13 * i}
            textAnchor={textAt.anchor}
          >
            {line}
          </text>
        ))}
      </g>
    );
  });
}

interface PointButtonsProps {
  readonly points: readonly QualityPoint[];
  /** px within the chart */
  readonly at: (point: QualityPoint) => readonly [x: number, y: number];
  readonly titleOf: (point: QualityPoint) => string;
  readonly onPick: (point: QualityPoint) => void;
}

/** Buttons over points; a click calls `onPick`, to open what was measured: a pruning or a model. */
export function PointButtons({ points, at: positionOf, titleOf, onPick }: PointButtonsProps) {
  return points.map((point) => {
    const [left, top] = positionOf(point);
    if (!Number.isFinite(left) || !Number.isFinite(top)) return null;
    return (
      <button
        key={point.id}
        type="button"
        className="-mt-3 -ml-3 hover:bg-ink/12 absolute cursor-pointer w-[24px] h-[24px] rounded-[50%]"
        style={{ left, top }}
        title={titleOf(point)}
        aria-label={titleOf(point)}
        onClick={() => onPick(point)}
      />
    );
  });
}
