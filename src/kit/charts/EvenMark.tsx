import type { Plot } from './plot.ts';

/** Of a letter at 12 px, in px. */
const LETTER = 6.2;

interface EvenMarkProps {
  readonly plot: Plot;
  /** along x */
  readonly at: number;
  readonly text: string;
}

/** Where a curve crosses 1: a dotted line down to the axis, with a short label. */
export function EvenMark({ plot: { x, y, right, bottom }, at, text }: EvenMarkProps) {
  const place = x(at);
  const fitsRight = place + 8 + LETTER * text.length < right;
  return (
    <>
      <line className="plot-dotted" x1={place} x2={place} y1={y(1)} y2={bottom} />
      <text
        className="plot-name plot-halo"
        x={place + (fitsRight ? 6 : -6)}
        y={bottom - 8}
        textAnchor={fitsRight ? 'start' : 'end'}
      >
        {text}
      </text>
    </>
  );
}
