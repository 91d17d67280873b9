import type { Steps } from '../../../../core/job.ts';
import { BLOCK_MATRICES, blockMatrices, type BlockMatrix, type DecoderWeights } from '../decoder.ts';
import { type DensityMap, evenDensities } from '../stored/recipe.ts';
import type { QualityMeter } from './meter.ts';

/** What is pruned alone: one matrix, a whole layer (kind null), or one kind in all layers (layer null). */
export interface Part {
  readonly layer: number | null;
  readonly kind: BlockMatrix | null;
}

/** Every layer, then every kind, then every matrix: what tells most comes first. `kinds`: those that a block has. */
export function allParts(layers: number, kinds: readonly BlockMatrix[] = BLOCK_MATRICES): readonly Part[] {
  const all = Array.from({ length: layers }, (_, layer) => layer);
  return [
    ...all.map((layer) => ({ layer, kind: null })),
    ...kinds.map((kind) => ({ layer: null, kind })),
    ...all.flatMap((layer) => kinds.map((kind) => ({ layer, kind }))),
  ];
}

/** Densities in which only that part is pruned. */
export function onlyPart(part: Part, density: number, layers: number): DensityMap {
  return evenDensities(1, layers).map((row, layer) => {
    if (part.layer !== null && part.layer !== layer) return row;
    if (part.kind === null) return evenDensities(density, 1)[0];
    return { ...row, [part.kind]: density };
  });
}

/**
 * Bits of the beginning of a text, without an end, that are lost if only one part is pruned, in every row by magnitude, one part
 * after the other. `ids`: as many as the model reads at once. `onPart` gets the bits that are lost; the result are those of the
 * model as it came. Reports parts.
 */
export function* pieceSensitivitySteps(
  meter: QualityMeter,
  dense: DecoderWeights,
  ids: readonly number[],
  density: number,
  onPart: (part: Part, lost: number) => void,
): Steps<number> {
  const { config } = meter;
  const parts = allParts(config.layers, blockMatrices(config));
  const usual = yield* meter.pieceSteps(dense, ids);
  for (const [at, part] of parts.entries()) {
    yield { what: 'Pruning one part alone', done: at, total: parts.length };
    const { weights } = yield* meter.storeSteps({
      pruning: { way: 'rows', density: onlyPart(part, density, config.layers) },
      valueType: 'f16',
    });
    onPart(part, (yield* meter.pieceSteps(weights, ids)) - usual);
  }
  return usual;
}
