import { useEffect, useRef } from 'react';
import { countText } from '../../../core/story/words.ts';
import { useShell } from '../../shell/shell-context.ts';

/** Outputs to a line, while that makes no more than so many lines. */
const PER_LINE = 64;
const MOST_LINES = 128;

/** How outputs are laid out: each point stands for `each` of them. */
export function mapOf(outputs: number): { readonly perLine: number; readonly lines: number; readonly each: number } {
  const each = Math.max(1, Math.ceil(outputs / (PER_LINE * MOST_LINES)));
  return { perLine: PER_LINE * each, lines: Math.max(1, Math.ceil(outputs / (PER_LINE * each))), each };
}

/** Where the wrong outputs are: a point for each, or for a few neighbours that have a wrong one among them. */
export function WrongMap({ wrong }: { readonly wrong: Uint8Array }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const { theme } = useShell();
  const { perLine, lines, each } = mapOf(wrong.length);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    context.clearRect(0, 0, PER_LINE, lines);
    context.fillStyle = getComputedStyle(canvas.current).color;
    for (let i = 0; i < wrong.length; i++) {
      if (wrong[i] === 0) continue;
      const point = Math.floor(i / each);
      context.fillRect(point % PER_LINE, Math.floor(point / PER_LINE), 1, 1);
    }
  }, [wrong, lines, each, theme]);
  let count = 0;
  for (const one of wrong) count += one === 0 ? 0 : 1;
  return (
    <figure className="draft-map">
      <canvas
        ref={canvas}
        width={PER_LINE}
        height={lines}
        role="img"
        aria-label={`Map of wrong outputs: ${countText(count)} of ${countText(wrong.length)}, the first is ${countText(wrong.indexOf(1))}`}
      />
      <figcaption>{countText(perLine)} outputs to a line</figcaption>
    </figure>
  );
}
