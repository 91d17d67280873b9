// The parts around the raster of firing neurons: the names of layers, buttons for layers, and the caption of the text.

import { useMemo } from 'react';
import { counted } from '../../../../src/core/text/words.ts';
import type { FiredToken } from '../service/types.ts';
import { extremeTokens, meanFired, pieceText, TILE_COLUMNS } from './firing-tokens.ts';
import type { RasterPlan } from './raster.ts';
import { Button, TextButton } from '../../../../src/kit/controls/Button.tsx';

/** Height of the number next to a tile, px. */
const NUMBER_HEIGHT = 24;

interface LayerNamesProps {
  readonly plan: RasterPlan;
  readonly layer: number;
  readonly neurons: number;
  /** whether neurons are in memory order, in which TwELL splits them into tiles */
  readonly hasTiles: boolean;
  readonly onLayer: (layer: number) => void;
}

/** Layer names, left of the raster (a column per token, a row per neuron), and where tiles of the open layer begin. */
export function LayerNames({ plan, layer, neurons, hasTiles, onLayer }: LayerNamesProps) {
  return (
    <div className="row-1 col-1 relative">
      {plan.layers.map(({ top, height }, index) => (
        <div
          key={`layer ${index + 1}`}
          className="absolute inset-x-0 text-end"
          style={{ insetBlockStart: top, blockSize: height }}
        >
          <button
            type="button"
            className="layer-name -mt-0.5 text-muted text-12 whitespace-nowrap cursor-pointer min-h-6"
            aria-pressed={index === layer}
            onClick={() => onLayer(index)}
          >
            layer {index}
          </button>
          {index === layer && hasTiles && (
            <span className="text-quiet text-12 absolute number inset-0 leading-[1.3]" aria-hidden="true">
              {numberedTiles(neurons, height).map((tile) => (
                <span
                  className="absolute right-0"
                  key={tile}
                  style={{ insetBlockStart: Math.max(16, (tile / neurons) * height - 7) }}
                >
                  {tile}
                </span>
              ))}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

/** Returns the first neurons of the tiles that get a number: all tiles, or every second, third and so on. */
function numberedTiles(neurons: number, height: number): readonly number[] {
  const step = TILE_COLUMNS * Math.max(1, Math.ceil((NUMBER_HEIGHT * neurons) / (TILE_COLUMNS * height)));
  return Array.from({ length: Math.ceil(neurons / step) }, (_, i) => i * step);
}

interface LayerStepsProps {
  readonly layer: number;
  readonly layers: number;
  readonly onLayer: (layer: number) => void;
}

/** Buttons that switch between layers on a phone, which shows one layer at a time. */
export function LayerSteps({ layer, layers, onLayer }: LayerStepsProps) {
  return (
    <div className="flex items-center justify-between gap-3">
      <Button aria-label="Layer before" disabled={layer === 0} onClick={() => onLayer(layer - 1)}>
        ‹
      </Button>
      <b>layer {layer}</b>
      <Button aria-label="Next layer" disabled={layer === layers - 1} onClick={() => onLayer(layer + 1)}>
        ›
      </Button>
    </div>
  );
}

interface TaleNoteProps {
  readonly tokens: readonly FiredToken[];
  /** what the model writes */
  readonly what: 'tale' | 'text';
  /** tokens of the whole text if only its beginning was recorded */
  readonly recordedOf: number | null;
  readonly onWrite: () => void;
}

/** The caption of the small picture of the whole text. */
export function TaleNote({ tokens, what, recordedOf, onWrite }: TaleNoteProps) {
  const ends = useMemo(() => extremeTokens(tokens), [tokens]);
  return (
    <>
      <p className="row-1 max-sm:row-auto col-1 grid max-sm:flex justify-items-end max-sm:gap-2 max-sm:mt-2 text-muted text-12 text-end self-end">
        <b className="text-ink">whole {what}</b>
        <span className="number">
          {recordedOf === null ? counted(tokens.length, 'token') : `${tokens.length} of ${recordedOf}`}
        </span>
      </p>
      <p className="underlined row-1 max-[60rem]:row-auto col-3 max-[60rem]:col-span-full max-[60rem]:mt-3 max-sm:mt-0 text-muted text-12 self-end leading-[1.4]">
        neurons per token and layer
        {ends && (
          <>
            <br />
            most: <b>{pieceText(tokens[ends.max].piece)}</b> {Math.round(meanFired(tokens[ends.max]))}; least:{' '}
            <b>{pieceText(tokens[ends.min].piece)}</b> {Math.round(meanFired(tokens[ends.min]))}
          </>
        )}
        {recordedOf !== null && (
          <>
            <br />
            <TextButton onClick={onWrite}>write all of it here</TextButton>
          </>
        )}
      </p>
    </>
  );
}
