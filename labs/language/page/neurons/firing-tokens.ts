// Tokens with the neurons that fire at them, and counts of them.

import type { FiredLayer, FiredToken } from '../service/types.ts';

/** Columns of a TwELL tile. */
export const TILE_COLUMNS = 256;
/** Non-zeros that fit into a tile at a compression of 8 to 1: 32 words minus the word of the count. */
const TILE_CAPACITY = 31;

/** How many neurons fire at a token: the mean over the layers. */
export function meanFired({ layers }: FiredToken): number {
  return layers.reduce((sum, { neurons }) => sum + neurons.length, 0) / layers.length;
}

/** Indices of the TwELL tiles in which more neurons of a layer fire at a token than fit. */
export function overflowingTiles({ neurons }: FiredLayer): readonly number[] {
  const over: number[] = [];
  let next = 0;
  while (next < neurons.length) {
    const tile = Math.floor(neurons[next] / TILE_COLUMNS);
    const from = next;
    while (next < neurons.length && neurons[next] < (tile + 1) * TILE_COLUMNS) next++;
    if (next - from > TILE_CAPACITY) over.push(tile);
  }
  return over;
}

/** A neuron's value at a token; 0 if it does not fire. */
export function valueAt({ neurons, values }: FiredLayer, neuron: number): number {
  const index = neurons.indexOf(neuron);
  return index < 0 ? 0 : values[index];
}

/** The rank of each neuron of a layer by frequency: the neuron of rank 0 fires at the most tokens. */
export function ranksByFrequency(tokens: readonly FiredToken[], layer: number, neurons: number): Uint16Array {
  const counts = new Uint32Array(neurons);
  for (const token of tokens) for (const neuron of token.layers[layer].neurons) counts[neuron]++;
  const ranks = new Uint16Array(neurons);
  const order = Array.from({ length: neurons }, (_, i) => i).toSorted((a, b) => counts[b] - counts[a] || a - b);
  for (const [rank, neuron] of order.entries()) ranks[neuron] = rank;
  return ranks;
}

/** The index of a token at which a neuron fires, and the neuron's value. */
export interface NeuronFiring {
  readonly token: number;
  readonly value: number;
}

/** The tokens with a neuron's largest magnitudes, each piece once, and the number of tokens at which it fires. */
export function strongestFirings(
  tokens: readonly FiredToken[],
  layer: number,
  neuron: number,
  max = 5,
): { readonly count: number; readonly strongest: readonly NeuronFiring[] } {
  const firings = tokens.flatMap(({ layers }, token) => {
    const value = valueAt(layers[layer], neuron);
    return value === 0 ? [] : [{ token, value }];
  });
  const pieces = new Set<string>();
  const strongest = firings
    .toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.token - b.token)
    .filter(({ token }) => {
      const piece = tokens[token].piece.trim();
      if (pieces.has(piece)) return false;
      pieces.add(piece);
      return true;
    })
    .slice(0, max);
  return { count: firings.length, strongest };
}

/** Indices of the tokens with the most and the fewest firing neurons, by the mean over layers; null for no tokens. */
export function extremeTokens(tokens: readonly FiredToken[]): { readonly max: number; readonly min: number } | null {
  if (tokens.length === 0) return null;
  const means = tokens.map(meanFired);
  let max = 0;
  let min = 0;
  for (let i = 1; i < means.length; i++) {
    if (means[i] > means[max]) max = i;
    if (means[i] < means[min]) min = i;
  }
  return { max, min };
}

/** A token as a heading: continued words begin with dots, spaces are omitted. */
export function pieceText(piece: string): string {
  if (/^\s*$/.test(piece)) return piece.includes('\n') ? '↵' : '␣';
  return /^[a-z]/.test(piece) ? `…${piece.trim()}` : piece.trim();
}
