import type { ChartCursor } from '../../../kit/charts/cursor.ts';
import type { ChartNote } from '../../../kit/charts/ChartNotes.tsx';
import { clampTo } from '../../../kit/charts/axis.ts';
import { linearSteps } from '../../../kit/charts/cursor.ts';
import type { Series } from '../../../kit/charts/series.ts';
import { cssColorOf, cssTextColorOf } from '../../../kit/format-color.ts';
import { leftText, roughLeft } from '../../../kit/words/shares.ts';
import type { SizeLine } from './lines.ts';

/** Properties of all pictures by weights left. */
export interface PictureProps {
  readonly cursor: ChartCursor;
  readonly height: number;
  /** a legend replaces the names */
  readonly narrow?: boolean;
  readonly strong: string | null;
  readonly onStrong: (group: string | null) => void;
}

/** The shares that the thumb can reach. */
const RANGE = [0.01, 1] as const;

/** The thumb: dragging it previews the share in the sentence, releasing it chooses the share. */
export function leftCursor(at: number, onMove: (share: number) => void, onRelease: () => void): ChartCursor {
  return {
    at,
    label: 'left of the weights',
    text: `${leftText(at)} left`,
    step: linearSteps(0.01),
    onMove: (to) => onMove(clampTo(RANGE, Number(to.toFixed(2)))),
    onRelease,
  };
}

/** The look of a line: A and B thick, the others thin, values of fewer bits dashed. */
export function lookOf({ key, curve, side, isQuantised }: SizeLine): Omit<Series, 'points' | 'title'> {
  const { id } = curve.variant.format;
  return {
    id: key,
    kind: side === null ? 'limit' : 'expected',
    color: cssColorOf(id),
    textColor: cssTextColorOf(id),
    group: id,
    join: 'straight',
    dashed: isQuantised,
  };
}

/** A crossing, ringed and named by its share. */
export function crossingNote(at: number, y: number, line: SizeLine): ChartNote {
  return { x: at, y, text: roughLeft(at), color: cssTextColorOf(line.curve.variant.format.id) };
}
