import type { Plot } from '../../../kit/charts/plot.ts';
import { leftText } from '../../../kit/words/shares.ts';

/** The share at the thumb, below the axis. */
export function ThumbText({ plot: { x, bottom }, at }: { readonly plot: Plot; readonly at: number }) {
  return (
    <text className="left-thumb-text" x={x(at)} y={bottom + 33} textAnchor="middle">
      {leftText(at)}
    </text>
  );
}
