import { largest, smallest } from '../../../../src/core/number/statistics.ts';
import { counted, countText, say, strong, type Words } from '../../../../src/core/text/words.ts';
import type { FiredToken } from '../service/types.ts';
import { TILE_COLUMNS, overflowingTiles } from './firing-tokens.ts';
import { COUNT_BIN, type FiringRecord } from './firing-record.ts';

/** How many neurons of each layer fire in a text, and how many of its TwELL tiles (256 neurons at a token) overflow. */
export type FiringCounts = Pick<
  FiringRecord,
  'tokens' | 'neurons' | 'mean' | 'meanByLayer' | 'maxByLayer' | 'deadByLayer' | 'tiles' | 'tilesOver' | 'counts'
>;

/** Counts by layer the neurons that fire; null for an empty text. `neurons`: of a layer. O(tokens x firing neurons). */
export function countFired(tokens: readonly FiredToken[], neurons: number): FiringCounts | null {
  if (tokens.length === 0) return null;
  const layers = tokens[0].layers.map((_, layer) => countLayer(tokens, layer, neurons));
  return {
    tokens: tokens.length,
    neurons,
    mean: layers.reduce((sum, { mean }) => sum + mean, 0) / layers.length,
    meanByLayer: layers.map(({ mean }) => mean),
    maxByLayer: layers.map(({ max }) => max),
    deadByLayer: layers.map(({ dead }) => dead),
    tiles: tokens.length * Math.ceil(neurons / TILE_COLUMNS),
    tilesOver: layers.map(({ over }) => over),
    counts: layers.map(({ counts }) => counts),
  };
}

function countLayer(tokens: readonly FiredToken[], layer: number, neurons: number) {
  const hasFired = new Uint8Array(neurons);
  const counts = Array.from({ length: Math.floor(neurons / COUNT_BIN) + 1 }, () => 0);
  let [sum, max, over] = [0, 0, 0];
  for (const { layers } of tokens) {
    const fired = layers[layer];
    for (const neuron of fired.neurons) hasFired[neuron] = 1;
    const count = fired.neurons.length;
    counts[Math.floor(count / COUNT_BIN)]++;
    sum += count;
    max = Math.max(max, count);
    over += overflowingTiles(fired).length;
  }
  const dead = Array.from({ length: neurons }, (_, neuron) => neuron).filter((neuron) => hasFired[neuron] === 0);
  return { mean: sum / tokens.length, max, over, dead, counts };
}

/** The headline for these counts. `name`: the model's name. */
export function countedWords(name: string, { tokens, neurons, mean, meanByLayer }: FiringCounts): readonly Words[] {
  const [min, max] = [smallest(meanByLayer), largest(meanByLayer)].map(Math.round);
  const layers = min === max ? '' : `, from ${min} to ${max} by layer`;
  return say`${strong(`${Math.round(mean)} of ${countText(neurons)} neurons`)} per layer fire while ${name} writes ${tokens === 1 ? 'this' : 'these'} ${counted(tokens, 'token')}${layers}.`;
}
