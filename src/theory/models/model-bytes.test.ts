import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelBytes, type ModelStorage } from './model-bytes.ts';
import { weightsOf } from './model-shape.ts';
import { KNOWN_MODELS } from './known-models.ts';

const [LLAMA_2_7B] = KNOWN_MODELS;
const GB = 1e9;

/** A model's storage in a format whose effective density (bytes relative to dense) is `effective` of its density. */
function storage(effective: (density: number) => number, rest: Partial<ModelStorage> = {}): ModelStorage {
  return {
    format: { expectedEffectiveDensity: (density) => ({ best: 0, expected: effective(density), worst: 1 }) },
    params: { valueType: 'f16' },
    density: 0.5,
    fusion: 'separate',
    keepHead: false,
    ...rest,
  };
}

describe('bytes of a model', () => {
  it('are 13.48 GB for dense Llama-2-7B, of which a token reads all but the embedding', () => {
    const bytes = modelBytes(
      LLAMA_2_7B,
      storage(() => 1),
    );
    expect((bytes?.dense ?? 0) / GB).toBeCloseTo(13.48, 2);
    expect((bytes?.readDense ?? 0) / GB).toBeCloseTo(13.21, 2);
    expect(bytes?.stored).toBe(bytes?.dense);
  });

  it('are values, overhead and dense matrices added up, with or without a dense head and merged matrices', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KNOWN_MODELS),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.boolean(),
        fc.constantFrom('separate' as const, 'fused' as const),
        (model, density, keepHead, fusion) => {
          const bytes = modelBytes(
            model,
            storage((d) => d * 1.25, { density, keepHead, fusion }),
          );
          if (!bytes) throw new Error('no bytes');
          expect(bytes.values + bytes.overhead + bytes.keptDense).toBeCloseTo(bytes.stored, -1);
          expect(bytes.dense).toBe(weightsOf(model) * 2);
          const pruned = weightsOf(model) - bytes.keptDense / 2;
          expect(bytes.stored).toBeCloseTo(pruned * 2.5 * density + bytes.keptDense, -1);
          const read = bytes.groups.reduce((sum, { group, stored }) => sum + stored * group.active, 0);
          expect(bytes.readStored).toBeCloseTo(read, -1);
        },
      ),
    );
  });

  it('are null if the format has no closed form of its size', () => {
    expect(modelBytes(LLAMA_2_7B, { ...storage(() => 1), format: {} })).toBeNull();
  });
});
