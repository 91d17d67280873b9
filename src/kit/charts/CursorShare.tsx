import { leftText } from '../words/shares.ts';
import type { Plot } from './axis.ts';

interface CursorShareProps {
  readonly plot: Plot;
  /** the position of the cursor along x */
  readonly at: number;
  /** the share of weights left there, 0 to 1 */
  readonly share?: number;
}

/** The share of weights left at a chart's cursor, as text below the cursor's handle. */
export function CursorShare({ plot: { x, bottom }, at, share = at }: CursorShareProps) {
  return (
    <text className="plot-thumb-text font-semibold fill-ink text-12" x={x(at)} y={bottom + 30} textAnchor="middle">
      {leftText(share)}
    </text>
  );
}
