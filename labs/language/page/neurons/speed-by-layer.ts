// The speed that each layer of a model would have by the share of its neurons that fire.

import { smallest } from '../../../../src/core/number/statistics.ts';
import type { Words } from '../../../../src/core/text/words.ts';
import { counted as countedText, say, strong } from '../../../../src/core/text/words.ts';
import block from './block-times.json';
import type { FiringCounts } from './firing-counts.ts';

/** Speeds of a recorded feed-forward block relative to dense, by rising share of the neurons that fire. */
export const BLOCK_SPEEDS: readonly { readonly share: number; readonly speed: number }[] = block.rows.map(
  ({ nonZeros, denseMs, ms }) => ({ share: nonZeros / block.neurons, speed: denseMs / ms }),
);

/** The recorded block: its sizes, times and GPU. */
export const RECORDED_BLOCK = block;

/**
 * How many times as fast as dense the recorded block is if this share of its neurons fires. Its times are interpolated
 * linearly between recorded shares; null outside the range of these shares.
 */
export function blockSpeed(share: number): number | null {
  const activeNeurons = share * block.neurons;
  const upperIndex = block.rows.findIndex(({ nonZeros }) => nonZeros >= activeNeurons);
  if (upperIndex < 0 || (upperIndex === 0 && block.rows[0].nonZeros > activeNeurons)) return null;
  const upperRow = block.rows[upperIndex];
  const lowerRow = block.rows[Math.max(0, upperIndex - 1)];
  const fraction =
    upperRow === lowerRow ? 0 : (activeNeurons - lowerRow.nonZeros) / (upperRow.nonZeros - lowerRow.nonZeros);
  const interpolate = (a: number, b: number): number => a + fraction * (b - a);
  return interpolate(lowerRow.denseMs, upperRow.denseMs) / interpolate(lowerRow.ms, upperRow.ms);
}

/** The firing neurons of a layer, and the speed of the recorded block with the same share of them. */
export interface LayerSpeed {
  readonly layer: number;
  /** firing neurons per token, on average */
  readonly meanActive: number;
  readonly deadNeurons: number;
  /** share of its TwELL tiles with more firing neurons than fit */
  readonly overflowShare: number;
  /** speed of the recorded block at this share of firing neurons, relative to dense; null outside recorded shares */
  readonly speed: number | null;
}

/** The firing neurons and the speed of every layer. */
export function speedByLayer(firingCounts: Omit<FiringCounts, 'counts'>): readonly LayerSpeed[] {
  const { meanByLayer, deadByLayer, tilesOver, tiles, neurons } = firingCounts;
  return meanByLayer.map((mean, layer) => ({
    layer,
    meanActive: mean,
    deadNeurons: deadByLayer[layer].length,
    overflowShare: tilesOver[layer] / tiles,
    speed: blockSpeed(mean / neurons),
  }));
}

/** Pearson's correlation of two lists of equal length; null for fewer than three values, or if one list is constant. */
export function correlation(xs: readonly number[], ys: readonly number[]): number | null {
  if (xs.length < 3) return null;
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const product = xs.reduce((sum, x, i) => sum + (x - mx) * (ys[i] - my), 0);
  const squaresOf = (values: readonly number[], m: number): number => values.reduce((sum, v) => sum + (v - m) ** 2, 0);
  const r = product / Math.sqrt(squaresOf(xs, mx) * squaresOf(ys, my));
  return Number.isFinite(r) ? r : null;
}

/** The TwELL paper's correlation between its models' non-zeros and speeds by layer: section 4.3, figure 6. */
const PUBLISHED_CORRELATION = -0.996;

/** States whether layers with more firing neurons are slower, with the correlation in TwELL's paper. */
export function speedWords(layers: readonly LayerSpeed[]): readonly Words[] {
  const recordedLayers = layers.flatMap(({ meanActive, speed }) => (speed === null ? [] : [{ meanActive, speed }]));
  const r = correlation(
    recordedLayers.map(({ meanActive }) => meanActive),
    recordedLayers.map(({ speed }) => speed),
  );
  const missingLayers = layers.length - recordedLayers.length;
  const shares = [BLOCK_SPEEDS[0], BLOCK_SPEEDS[BLOCK_SPEEDS.length - 1]].map(({ share }) =>
    (100 * share).toPrecision(2),
  );
  const outsideText =
    missingLayers === 0
      ? ''
      : ` ${countedText(missingLayers, 'layer')} ${missingLayers === 1 ? 'fires' : 'fire'} outside of the ${shares[0]} to ${shares[1]} % that were recorded.`;
  if (r === null) return say`Too few layers to compare.${outsideText}`;
  const slowest = smallest(recordedLayers.map(({ speed }) => speed)).toFixed(2);
  return say`The more neurons fire in a layer, the slower its block, down to ${slowest}×: ${strong(`correlation ${minus(r)}`)}. The paper’s figure 6 has ${minus(PUBLISHED_CORRELATION)}.${outsideText}`;
}

function minus(r: number): string {
  return r.toFixed(3).replace('-', '−');
}

/** The meaning of the speeds. */
export const SPEED_NOTE = `No layer was timed: these are times of a block of ${RECORDED_BLOCK.width} × ${RECORDED_BLOCK.neurons} on an ${RECORDED_BLOCK.on}, with the same share of firing neurons. So the correlation only describes how straight that line is. The paper timed its layers.`;
