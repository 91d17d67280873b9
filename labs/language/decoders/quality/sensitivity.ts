// The parts of a model that are pruned alone, to measure how much each of them matters.

import type { Steps } from '../../../../src/core/job.ts';
import { BLOCK_MATRICES, blockMatrices, type BlockMatrix, type DecoderWeights } from '../decoder.ts';
import { type DensityMap, evenDensities } from '../stored/recipe.ts';
import type { QualityMeter } from './meter.ts';

/**
 * A part of a model that is pruned alone: a matrix, a whole layer (kind null), or a kind in all layers (layer null).
 */
export interface PrunedPart {
  readonly layer: number | null;
  readonly kind: BlockMatrix | null;
}

/** All parts: layers, then kinds in all layers, then single matrices. `kinds`: the matrices of a block. */
export function allParts(layers: number, kinds: readonly BlockMatrix[] = BLOCK_MATRICES): readonly PrunedPart[] {
  const allLayers = Array.from({ length: layers }, (_, layer) => layer);
  return [
    ...allLayers.map((layer) => ({ layer, kind: null })),
    ...kinds.map((kind) => ({ layer: null, kind })),
    ...allLayers.flatMap((layer) => kinds.map((kind) => ({ layer, kind }))),
  ];
}

/** The densities of all matrices if this part has `density` and all others 1. */
export function partDensities(part: PrunedPart, density: number, layers: number): DensityMap {
  return evenDensities(1, layers).map((row, layer) => {
    if (part.layer !== null && part.layer !== layer) return row;
    if (part.kind === null) return evenDensities(density, 1)[0];
    return { ...row, [part.kind]: density };
  });
}

/**
 * Prunes each part alone, by magnitude in every row, and measures the bits of a piece of text: `ids`, which must fit
 * into the context. `onPart` receives how many bits more the piece costs than in the unpruned model. Returns the bits
 * of the unpruned model. Progress counts parts.
 */
export function* pieceSensitivitySteps(
  meter: QualityMeter,
  dense: DecoderWeights,
  ids: readonly number[],
  density: number,
  onPart: (part: PrunedPart, lost: number) => void,
): Steps<number> {
  const { config } = meter;
  const parts = allParts(config.layers, blockMatrices(config));
  const unprunedBits = yield* meter.pieceSteps(dense, ids);
  for (const [at, part] of parts.entries()) {
    yield { what: 'Pruning one part alone', done: at, total: parts.length };
    const pruned = yield* meter.pruneAndRoundSteps({
      pruning: { way: 'rows', density: partDensities(part, density, config.layers) },
      valueType: 'f16',
    });
    onPart(part, (yield* meter.pieceSteps(pruned, ids)) - unprunedBits);
  }
  return unprunedBits;
}
