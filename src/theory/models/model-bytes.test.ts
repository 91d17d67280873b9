import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BYTE_CLASSES } from '../../core/encoded/ledger.ts';
import { defaultParams, type ParamField } from '../../core/format.ts';
import { type AnyValueType, VALUE_BITS } from '../../core/number/index.ts';
import { formats } from '../../formats/registry.ts';
import { generate } from '../../generate/generate.ts';
import { expectedBytes, expectedParts, modelBytes, type ModelStorage, smallestCard } from './model-bytes.ts';
import { KNOWN_MODELS, weightsOf } from './model-shape.ts';

const [LLAMA_2_7B] = KNOWN_MODELS;
const GB = 1e9;

/** A format of a given size: e of dense at density d. */
function storage(effective: (density: number) => number, rest: Partial<ModelStorage> = {}): ModelStorage {
  return {
    format: {
      expectedEffectiveDensity: (density) => ({ best: 0, expected: effective(density), worst: 1 }),
    },
    params: { valueType: 'f16' },
    density: 0.5,
    fusion: 'separate',
    keepHead: false,
    ...rest,
  };
}

describe('bytes of a model', () => {
  it('are 13.48 GB dense for Llama-2-7B, of which a token reads all but the embedding', () => {
    const bytes = modelBytes(
      LLAMA_2_7B,
      storage(() => 1),
    );
    expect((bytes?.dense ?? 0) / GB).toBeCloseTo(13.48, 2);
    expect((bytes?.readDense ?? 0) / GB).toBeCloseTo(13.21, 2);
    expect(bytes?.stored).toBe(bytes?.dense);
  });

  it('add up to what is stored, whatever stays dense and whatever is merged into one matrix', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KNOWN_MODELS),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.boolean(),
        fc.constantFrom('separate' as const, 'fused' as const),
        (model, density, keepHead, fusion) => {
          const of = storage((d) => d * 1.25, { density, keepHead, fusion });
          const bytes = modelBytes(model, of);
          if (!bytes) throw new Error('no bytes');
          expect(bytes.values + bytes.beside + bytes.keptDense).toBeCloseTo(bytes.stored, -1);
          expect(bytes.dense).toBe(weightsOf(model) * 2);
          const pruned = weightsOf(model) - bytes.keptDense / 2;
          expect(bytes.stored).toBeCloseTo(pruned * 2.5 * density + bytes.keptDense, -1);
          const read = bytes.groups.reduce((sum, { group, stored }) => sum + stored * group.count, 0);
          expect(bytes.readStored).toBeCloseTo(read, -1);
        },
      ),
    );
  });

  it('are those of generated matrices, within 3 %, for every format with a closed form', () => {
    const shape = { rows: 256, cols: 2048 };
    let compared = 0;
    for (const density of [0.1, 0.3, 0.5]) {
      const matrix = generate({ pattern: 'uniform', ...shape, density, seed: 7 });
      for (const format of formats) {
        const params: Readonly<Record<string, unknown>> = defaultParams(format.params);
        const expected = expectedBytes({ format, params }, density, shape);
        if (expected === null || !format.admits(matrix, params).ok) continue;
        const { totalBytes } = format.storage(format.encode(matrix, params));
        // The longest row of a small matrix, which pads all others, varies too much.
        expect([format.id, Math.abs(totalBytes - expected) <= 0.03 * expected]).toEqual([format.id, true]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThanOrEqual(12);
  });

  it('are unknown without a closed form', () => {
    expect(modelBytes(LLAMA_2_7B, { ...storage(() => 1), format: {} })).toBeNull();
  });

  it('suggest the smallest card that holds them', () => {
    expect([13.48e9, 8.6e9, 7.9e9, 81e9].map(smallestCard)).toEqual([16, 12, 8, null]);
  });
});

describe('bytes by purpose', () => {
  it.each(
    formats
      .filter((format) => format.expectedEffectiveDensity && format.group !== 'activations')
      .flatMap((format) => [0.5, 0.25].map((density) => [`${format.id} at ${density}`, format, density] as const)),
  )('follow from closed forms as from an encoding: %s', (_, format, density) => {
    const shape = { rows: 256, cols: 2048 };
    const pattern = format.heldOnce ? { pattern: 'n-of-m', options: { m: 4 } } : { pattern: 'uniform' };
    const matrix = generate({ ...shape, ...pattern, density, seed: 3 });
    const field: ParamField<AnyValueType> = format.params.valueType;
    for (const { value: valueType } of field.kind === 'choice' ? field.options : []) {
      const params = { ...defaultParams<object>(format.params), valueType };
      const { totalBits, totalBytes } = format.storage(format.encode(matrix, params));
      const parts = expectedParts({ format, params }, density, shape);
      if (!parts) throw new Error('no closed form');
      // The ledger counts the zeros of a format that keeps every cell as its values.
      const zeros = Math.max(0, totalBits.values - matrix.nnz * VALUE_BITS[valueType]);
      const bits = { ...totalBits, values: totalBits.values - zeros, padding: totalBits.padding + zeros };
      for (const byteClass of BYTE_CLASSES) {
        const away = Math.abs(parts[byteClass] - bits[byteClass] / 8) / totalBytes;
        expect(away, `${valueType} ${byteClass}`).toBeLessThan(0.03);
      }
    }
  });
});
