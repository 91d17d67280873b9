// The picture of the neurons that fire at each token, drawn on canvases of a few tokens each.

import { type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useApp } from '../../../../src/kit/app-context.ts';
import { useTheme } from '../../../../src/kit/browser/use-theme.ts';
import { counted, valueText } from '../../../../src/core/text/words.ts';
import type { FiredToken } from '../service/types.ts';
import { drawnTokens } from '../text/wrap.ts';
import { strongestFirings, pieceText } from './firing-tokens.ts';
import {
  drawBackground,
  drawColumn,
  type RasterText,
  markAt,
  type NeuronRanks,
  type RasterColors,
  type RasterPlan,
} from './raster.ts';

/** Tokens per canvas, few enough for the maximum width of a canvas. */
const STRIP_TOKENS = 64;
/** Maximum columns drawn in an animation frame, so that it is short even without a GPU. */
const MAX_FRAME_COLUMNS = 12;

/** The canvas of up to STRIP_TOKENS neighbouring columns. */
interface CanvasStrip {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  /** the tokens whose columns are drawn, from the left */
  tokens: FiredToken[];
}

/** The appearance of columns: if it changes, all are drawn again. */
interface RasterStyle extends Omit<RasterText, 'tokens'> {
  readonly plan: RasterPlan;
  readonly colors: RasterColors;
  /** device pixels per CSS px */
  readonly scale: number;
}

/**
 * The columns of a text as canvases side by side, which are moved and never copied: the cost of an animation frame
 * depends only on its new columns.
 */
class CanvasStrips {
  readonly #host: HTMLElement;
  #strips: CanvasStrip[] = [];
  #style: RasterStyle | null = null;

  /** `host` is as wide as the text, and clipped by its surroundings. */
  constructor(host: HTMLElement) {
    this.#host = host;
  }

  /** Draws missing columns in a range, up to a limit. Returns whether all are drawn. */
  draw(tokens: readonly FiredToken[], from: number, to: number, style: RasterStyle): boolean {
    if (this.#style !== style) this.#strips = [];
    this.#style = style;
    const { plan, colors } = style;
    const first = Math.floor(from / STRIP_TOKENS);
    const last = Math.max(first, Math.ceil(to / STRIP_TOKENS) - 1);
    const visible: HTMLCanvasElement[] = [];
    let budget = MAX_FRAME_COLUMNS;
    let isComplete = true;
    for (let index = first; index <= last; index++) {
      const begin = index * STRIP_TOKENS;
      const end = Math.min(tokens.length, begin + STRIP_TOKENS);
      const strip = this.#stripAt(index, tokens, style);
      while (strip.tokens.length < end - begin && budget > 0) {
        const i = strip.tokens.length;
        const token = tokens[begin + i];
        drawColumn(strip.context, plan, token, style, i * plan.columnWidth, colors);
        strip.tokens.push(token); // bounded: STRIP_TOKENS
        budget--;
      }
      if (strip.tokens.length < end - begin) isComplete = false;
      visible.push(strip.canvas); // bounded: visible strips
    }
    const { children } = this.#host;
    if (children.length !== visible.length || visible.some((canvas, i) => canvas !== children[i])) {
      this.#host.replaceChildren();
      for (const canvas of visible) this.#host.append(canvas);
    }
    return isComplete;
  }

  #stripAt(index: number, tokens: readonly FiredToken[], { plan, scale }: RasterStyle): CanvasStrip {
    const first = index * STRIP_TOKENS;
    const existing = this.#strips[index];
    const hasSameTokens = existing?.tokens.every((token, i) => token === tokens[first + i]) ?? false;
    if (existing !== undefined && hasSameTokens) return existing;
    const canvas = document.createElement('canvas');
    const width = STRIP_TOKENS * plan.columnWidth;
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.max(1, Math.ceil(plan.height * scale));
    canvas.style.cssText = `inline-size: ${canvas.width / scale}px; block-size: ${canvas.height / scale}px; inset-inline-start: ${first * plan.columnWidth}px`;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('neurons: found no context of a canvas, expected one in two dimensions');
    context.scale(scale, scale);
    const strip = { canvas, context, tokens: [] };
    this.#strips[index] = strip;
    return strip;
  }
}

interface RasterProps {
  readonly plan: RasterPlan;
  readonly tokens: readonly FiredToken[];
  /** the first visible column */
  readonly from: number;
  /** the current token */
  readonly currentToken: number;
  /** neurons of a layer */
  readonly neurons: number;
  readonly ranks: NeuronRanks;
  /** ids of the neurons that never fire, by layer */
  readonly dead: readonly (readonly number[])[];
  /** the layer drawn tall */
  readonly open: number;
  readonly onCurrentToken: (token: number) => void;
}

/** Space to the left of the columns, for the ticks of dead neurons. */
const MARGIN = 5;

/** Draws the raster on the elements of the returned refs: the background, and columns as tokens are written. */
function useDrawnRaster(
  { plan, tokens, from, neurons, ranks, dead, open }: Omit<RasterProps, 'currentToken' | 'onCurrentToken'>,
  width: number,
) {
  const { preferences } = useApp();
  const theme = useTheme(preferences);
  const background = useRef<HTMLCanvasElement>(null);
  const columnsHost = useRef<HTMLDivElement>(null);
  const strips = useRef<CanvasStrips | null>(null);

  const style = useMemo<RasterStyle>(
    () => ({
      plan,
      neurons,
      ranks,
      open,
      scale: window.devicePixelRatio || 1,
      colors: {
        mark: theme.byteClasses.values.full,
        ground: theme.cell,
        ghost: theme.ghost,
        tile: theme.danger,
        muted: theme.textMuted,
      },
    }),
    [plan, neurons, ranks, open, theme],
  );
  useLayoutEffect(() => {
    const element = background.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    const { scale, colors } = style;
    [element.width, element.height] = [Math.round((width + MARGIN) * scale), Math.round(plan.height * scale)];
    context.setTransform(scale, 0, 0, scale, MARGIN * scale, 0);
    drawBackground(context, plan, { neurons, ranks, dead }, colors);
  }, [style, plan, width, neurons, ranks, dead]);
  useLayoutEffect(() => {
    if (columnsHost.current === null) return;
    strips.current ??= new CanvasStrips(columnsHost.current);
    const rasterStrips = strips.current;
    const to = Math.min(tokens.length, from + plan.columns);
    // A frame draws the newest state, however often it changed, and only a part of it if it is large.
    let frame = requestAnimationFrame(function drawFrame() {
      if (!rasterStrips.draw(tokens, from, to, style)) frame = requestAnimationFrame(drawFrame);
    });
    return () => cancelAnimationFrame(frame);
  }, [style, plan, tokens, from]);
  return { background, columnsHost };
}

/** The neurons that fire at each token: a column for a token, a row for a neuron, in memory order or by frequency. */
export function Raster({ plan, tokens, from, currentToken, neurons, ranks, dead, open, onCurrentToken }: RasterProps) {
  const [point, setPoint] = useState<readonly [number, number] | null>(null);
  const width = plan.columns * plan.columnWidth;
  const { background, columnsHost } = useDrawnRaster({ plan, tokens, from, neurons, ranks, dead, open }, width);
  const hovered = useMemo(
    () => (point === null ? null : markAt(plan, tokens, from, neurons, ranks, point)),
    [point, plan, tokens, from, neurons, ranks],
  );
  const positionOf = (event: PointerEvent): readonly [number, number] => {
    const box = event.currentTarget.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const token = tokens[currentToken];
  const currentLeft = (currentToken - from) * plan.columnWidth;
  return (
    <div className="raster relative max-w-full" style={{ inlineSize: width, blockSize: plan.height }}>
      <canvas
        ref={background}
        className="absolute top-0 max-w-none"
        style={{ inlineSize: width + MARGIN, blockSize: plan.height, insetInlineStart: -MARGIN }}
        aria-hidden="true"
      />
      <div
        className="absolute inset-y-0 start-0 overflow-hidden"
        style={{ inlineSize: width }}
        role="img"
        aria-label={firesText(tokens, currentToken)}
      >
        <div
          ref={columnsHost}
          className="absolute inset-0 will-change-[translate] *:absolute *:top-0"
          style={{ translate: `${-from * plan.columnWidth}px 0` }}
        />
      </div>
      {token !== undefined && currentLeft >= 0 && currentLeft < width && (
        <>
          <div
            className="raster-later absolute pointer-events-none"
            style={{
              insetInlineStart: currentLeft + plan.columnWidth,
              inlineSize: width - currentLeft - plan.columnWidth,
            }}
          />
          <CurrentText tokens={tokens} currentToken={currentToken} tokenLeft={currentLeft} plan={plan} />
          <div
            className="rounded-[3px] absolute pointer-events-none border-2 border-ink"
            data-at={currentToken}
            style={{
              insetInlineStart: currentLeft - 1,
              inlineSize: plan.columnWidth + 2,
              insetBlockStart: plan.top - 4,
              blockSize: plan.height - plan.top - 1,
            }}
          />
        </>
      )}
      {/* Arrow keys move the current token, too: see NeuronsTab.tsx. */}
      <div
        className="absolute inset-0 cursor-crosshair"
        aria-hidden="true"
        onPointerMove={(event) => setPoint(positionOf(event))}
        onPointerLeave={() => setPoint(null)}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const clicked = from + Math.floor((event.clientX - box.left) / plan.columnWidth);
          if (clicked >= 0 && clicked < tokens.length) onCurrentToken(clicked);
        }}
      />
      {hovered && point && (
        <NeuronPanel
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

/** Returns the text for screen readers: the number of firing neurons in each layer at token number `position`. */
export function firesText(tokens: readonly FiredToken[], position: number): string {
  const token = tokens[position] as FiredToken | undefined;
  if (token === undefined) return 'No token is written yet';
  const layers = token.layers.map(({ neurons }, layer) => `layer ${layer} fires ${neurons.length}`);
  return `Token ${position + 1} of ${tokens.length}, ${pieceText(token.piece)}: ${layers.join(', ')}`;
}

interface CurrentTextProps {
  readonly tokens: readonly FiredToken[];
  readonly currentToken: number;
  /** left edge of the current token's column, px */
  readonly tokenLeft: number;
  readonly plan: RasterPlan;
}

/** Tokens on each side of the current one, more than a line holds. */
const TOKENS_AROUND = 100;

/** The text around the current token, on one line above the columns: the token stands at its column. */
function CurrentText({
  tokens,
  currentToken,
  tokenLeft,
  plan: { columns, columnWidth, height, top },
}: CurrentTextProps) {
  const around = drawnTokens(
    tokens.slice(Math.max(0, currentToken - TOKENS_AROUND), currentToken + TOKENS_AROUND + 1).map(({ piece }) => piece),
  );
  const tokensBefore = Math.min(currentToken, TOKENS_AROUND);
  // A token at the right edge ends at its column, and nothing follows it.
  const spaceAfter = columns * columnWidth - tokenLeft - columnWidth;
  const isEnd = spaceAfter < 60;
  return (
    <p
      className="absolute inset-x-0 flex whitespace-pre text-12 pointer-events-none overflow-hidden"
      style={{ insetBlockEnd: height - top + 8, paddingInlineEnd: isEnd ? spaceAfter : 0 }}
      aria-hidden="true"
    >
      <span
        className={`raster-before flex justify-end overflow-hidden text-muted ${isEnd ? 'min-w-0 flex-1' : 'flex-none'}`}
        style={isEnd ? undefined : { inlineSize: tokenLeft }}
      >
        {around.slice(0, tokensBefore).join('')}
      </span>
      <b className="flex-none">{around[tokensBefore]}</b>
      {!isEnd && <span className="text-quiet overflow-hidden">{around.slice(tokensBefore + 1).join('')}</span>}
    </p>
  );
}

interface NeuronPanelProps {
  readonly tokens: readonly FiredToken[];
  readonly layer: number;
  readonly neuron: number;
  readonly value: number;
  /** the pointer, px from the raster's corner */
  readonly at: readonly [number, number];
  /** whether the panel is left of the pointer, not right of it */
  readonly flip: boolean;
}

/** A neuron by its number, its value here, and the tokens of this text with its largest values. */
export function NeuronPanel({ tokens, layer, neuron, value, at: [x, y], flip }: NeuronPanelProps) {
  const { count, strongest } = useMemo(() => strongestFirings(tokens, layer, neuron), [tokens, layer, neuron]);
  return (
    <div
      className="max-w-60 bg-control text-12 absolute pointer-events-none rounded-md border border-control-border shadow-float z-2 w-max"
      style={{
        insetBlockStart: y + 14,
        ...(flip ? { insetInlineEnd: `calc(100% - ${x}px)` } : { insetInlineStart: x + 10 }),
      }}
    >
      <p>
        <b>neuron {neuron}</b> of layer {layer}: <span className="number">{valueText(value)}</span>
      </p>
      <p className="text-quiet">
        fires at {counted(count, 'token')} of this text, most at{' '}
        {strongest.map((firing) => `${pieceText(tokens[firing.token].piece)} ${valueText(firing.value)}`).join(', ')}
      </p>
    </div>
  );
}
