import { type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useApp } from '../../../../src/kit/app-context.ts';
import { useTheme } from '../../../../src/kit/browser/use-theme.ts';
import type { FiredToken } from '../service/types.ts';
import { meanFired } from './firing-tokens.ts';

interface WholeTaleProps {
  readonly width: number;
  readonly tokens: readonly FiredToken[];
  /** expected number of tokens at the end */
  readonly total: number;
  /** the first token in the large picture (raster), and how many are in it */
  readonly from: number;
  readonly columns: number;
  /** the current token */
  readonly currentToken: number;
  readonly onFrom: (from: number) => void;
}

const HEIGHT = 40; // px

/** The range of tokens in the raster, the large picture: 'tokens 1 to 90 of 330'. */
export function spanText(from: number, columns: number, tokens: number): string {
  return tokens <= from
    ? 'no token is written yet'
    : `tokens ${from + 1} to ${Math.min(from + columns, tokens)} of ${tokens}`;
}

/** Bars of a tale (short text): firing neurons per token, on average. A draggable frame marks the raster's tokens. */
export function WholeTale({ width, tokens, total, from, columns, currentToken, onFrom }: WholeTaleProps) {
  const { preferences } = useApp();
  const theme = useTheme(preferences);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drag = useRef<{ readonly x: number; readonly from: number } | null>(null);
  const means = useMemo(() => tokens.map(meanFired), [tokens]);
  const tokenCount = Math.max(total, columns, 1);
  const step = width / tokenCount;
  const maxFrom = Math.max(0, tokenCount - columns);

  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width <= 0) return;
    const frame = requestAnimationFrame(() => {
      const scale = window.devicePixelRatio || 1;
      const pixels = [Math.round(width * scale), Math.round(HEIGHT * scale)] as const;
      if (element.width !== pixels[0] || element.height !== pixels[1]) [element.width, element.height] = pixels;
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.clearRect(0, 0, width, HEIGHT);
      const highest = means.reduce((a, b) => Math.max(a, b), 1);
      for (const [i, mean] of means.entries()) {
        const height = Math.max(1, (mean / highest) * (HEIGHT - 6));
        context.fillStyle = i <= currentToken ? theme.byteClasses.values.full : theme.track;
        context.fillRect(i * step, HEIGHT - height, Math.max(1, step - (step > 3 ? 1 : 0.4)), height);
      }
      context.fillStyle = theme.textMuted;
      context.fillRect(0, HEIGHT - 1, width, 1);
    });
    return () => cancelAnimationFrame(frame);
  }, [width, means, currentToken, step, theme]);

  // The frame can be released anywhere.
  useEffect(() => {
    const release = (): void => {
      drag.current = null;
    };
    window.addEventListener('pointerup', release);
    return () => window.removeEventListener('pointerup', release);
  }, []);

  const bound = (next: number): number => Math.min(maxFrom, Math.max(0, Math.round(next)));
  const onDown = (event: PointerEvent<HTMLDivElement>): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const inFrame = x >= from * step && x <= (from + columns) * step;
    const start = inFrame ? from : bound(x / step - columns / 2);
    drag.current = { x: event.clientX, from: start };
    event.currentTarget.setPointerCapture(event.pointerId);
    if (!inFrame) onFrom(start);
  };
  const onMove = (event: PointerEvent): void => {
    if (drag.current === null) return;
    const next = bound(drag.current.from + (event.clientX - drag.current.x) / step);
    if (next !== from) onFrom(next);
  };
  return (
    <div
      className="relative max-w-full cursor-grab active:cursor-grabbing touch-pan-y"
      style={{ inlineSize: width, blockSize: HEIGHT }}
      role="slider"
      tabIndex={0}
      aria-label="First token shown"
      aria-valuemin={0}
      aria-valuemax={maxFrom}
      aria-valuenow={Math.min(from, maxFrom)}
      aria-valuetext={spanText(from, columns, tokens.length)}
      onPointerDown={onDown}
      onPointerMove={onMove}
      onKeyDown={(event) => {
        const steps = {
          ArrowLeft: -1,
          ArrowRight: 1,
          PageUp: -columns,
          PageDown: columns,
          Home: -tokenCount,
          End: tokenCount,
        }[event.key];
        if (steps === undefined) return;
        event.preventDefault();
        onFrom(bound(from + steps));
      }}
    >
      <canvas ref={canvas} className="size-full" aria-hidden="true" />
      <div
        className="rounded-[3px] absolute -inset-y-[3px] pointer-events-none border-[1.5px] border-ink"
        style={{ insetInlineStart: from * step, inlineSize: Math.min(width - from * step, columns * step) }}
      />
    </div>
  );
}
