import { type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useApp } from '../../../kit/app-context.ts';
import { FONTS } from '../../../render/theme.ts';
import { useTheme } from '../../../kit/browser/use-theme.ts';
import { counted, valueText } from '../../../core/story/words.ts';
import type { FiredToken } from '../service/types.ts';
import { firesMostOn, pieceText } from './fired.ts';
import { drawGround, markAt, type Places, type RasterPlan } from './raster.ts';
import { Strips } from './strips.ts';

interface RasterProps {
  readonly plan: RasterPlan;
  readonly tokens: readonly FiredToken[];
  readonly from: number;
  readonly pen: number;
  readonly neurons: number;
  readonly places: Places;
  readonly dead: readonly (readonly number[])[];
  readonly open: number;
  readonly onPen: (token: number) => void;
}

/** To the left of the columns, for the ticks of dead neurons. */
const MARGIN = 5;

/** Which neurons fire at each token: a column for a token, a row for a neuron, in the order of memory or by frequency. */
export function Raster({ plan, tokens, from, pen, neurons, places, dead, open, onPen }: RasterProps) {
  const { preferences } = useApp();
  const theme = useTheme(preferences);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [strips] = useState(() => new Strips());
  const [fontsReady, setFontsReady] = useState(false);
  const [point, setPoint] = useState<readonly [number, number] | null>(null);
  const width = plan.columns * plan.columnWidth;
  const headings = useMemo(() => tokens.map(({ piece }) => pieceText(piece)), [tokens]);
  useEffect(() => void document.fonts?.ready.then(() => setFontsReady(true)), []);

  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    // A frame draws what is newest, however often it changed.
    const frame = requestAnimationFrame(() => {
      const scale = window.devicePixelRatio || 1;
      const pixels = [Math.round((width + MARGIN + SLANT) * scale), Math.round(plan.height * scale)] as const;
      if (element.width !== pixels[0] || element.height !== pixels[1]) [element.width, element.height] = pixels;
      context.setTransform(scale, 0, 0, scale, MARGIN * scale, 0);
      context.clearRect(-MARGIN, 0, width + MARGIN + SLANT, plan.height);
      const colors = {
        mark: theme.byteClasses.values.full,
        ground: theme.cell,
        ghost: theme.ghost,
        tile: theme.danger,
        text: theme.text,
        muted: theme.textMuted,
        quiet: theme.textQuiet,
        font: FONTS.sans,
      };
      const what = { tokens, neurons, places, open };
      drawGround(context, plan, { ...what, from, pen, dead }, headings, colors);
      const to = Math.min(tokens.length, from + plan.columns);
      const behind = Math.min(to, Math.max(from, pen + 1));
      strips.draw(context, plan, what, colors, { from, to: behind, left: 0, alpha: 1, scale });
      const left = (behind - from) * plan.columnWidth;
      strips.draw(context, plan, what, colors, { from: behind, to, left, alpha: 0.35, scale });
    });
    return () => cancelAnimationFrame(frame);
  }, [plan, width, tokens, from, pen, neurons, places, dead, open, headings, theme, fontsReady, strips]);

  const hovered = useMemo(
    () => (point === null ? null : markAt(plan, tokens, from, neurons, places, point)),
    [point, plan, tokens, from, neurons, places],
  );
  const at = (event: PointerEvent): readonly [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    return [event.clientX - box.left - MARGIN, event.clientY - box.top];
  };
  const token = tokens[pen];
  const penLeft = (pen - from) * plan.columnWidth;
  return (
    <div className="raster" style={{ inlineSize: width, blockSize: plan.height }}>
      <canvas
        ref={canvas}
        className="raster-canvas"
        style={{ inlineSize: width + MARGIN + SLANT, blockSize: plan.height, insetInlineStart: -MARGIN }}
        role="img"
        aria-label={
          token === undefined
            ? 'No token is written yet'
            : `Token ${pen + 1} of ${tokens.length}, ${pieceText(token.piece)}: ${token.layers.map(({ neurons: fired }, layer) => `layer ${layer} fires ${fired.length}`).join(', ')}`
        }
        onPointerMove={(event) => setPoint(at(event))}
        onPointerLeave={() => setPoint(null)}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const clicked = from + Math.floor((event.clientX - box.left - MARGIN) / plan.columnWidth);
          if (clicked >= 0 && clicked < tokens.length) onPen(clicked);
        }}
      />
      {token !== undefined && penLeft >= 0 && penLeft < width && (
        <div
          className="raster-pen"
          data-at={pen}
          style={{
            insetInlineStart: penLeft - 1,
            inlineSize: plan.columnWidth + 2,
            insetBlockStart: plan.top - 4,
            blockSize: plan.height - plan.top - 1,
          }}
        />
      )}
      {hovered && point && (
        <Hovered
          {...{ tokens }}
          layer={hovered.layer}
          neuron={hovered.neuron}
          value={hovered.value}
          at={point}
          flip={point[0] > width - 220}
        />
      )}
    </div>
  );
}

/** Headings of the last columns lean out to the right. */
const SLANT = 44;

interface HoveredProps {
  readonly tokens: readonly FiredToken[];
  readonly layer: number;
  readonly neuron: number;
  readonly value: number;
  readonly at: readonly [number, number];
  readonly flip: boolean;
}

/** A neuron by its number, what it is here, and where in this text it fires most. */
function Hovered({ tokens, layer, neuron, value, at: [x, y], flip }: HoveredProps) {
  const { times, on } = useMemo(() => firesMostOn(tokens, layer, neuron), [tokens, layer, neuron]);
  return (
    <div
      className="raster-hover"
      style={{
        insetBlockStart: y + 14,
        ...(flip ? { insetInlineEnd: `calc(100% - ${x}px)` } : { insetInlineStart: x + 10 }),
      }}
    >
      <p>
        <b>neuron {neuron}</b> of layer {layer}: <span className="number">{valueText(value)}</span>
      </p>
      <p className="faint">
        fires at {counted(times, 'token')} of this text, most at{' '}
        {on.map((one) => `${pieceText(tokens[one.token].piece)} ${valueText(one.value)}`).join(', ')}
      </p>
    </div>
  );
}
