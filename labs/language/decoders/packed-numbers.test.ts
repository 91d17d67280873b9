// Weights stored as f16 or bf16 (`Halves`): exact conversion to f32, and decoding and pruning of a model in this
// form.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import wabt from 'wabt';
import { randomIds, randomWeights, tinyConfig } from '../test/decoders.ts';
import { bf16Value, f16Bits, f16Value } from '../../../src/core/number/index.ts';
import { cpuDecoder } from './cpu/cpu-decoder.ts';
import {
  BLOCK_MATRICES,
  blockMatrices,
  type BlockWeights,
  type DecoderConfig,
  type DecoderWeights,
} from './decoder.ts';
import { HALVES_MODULE } from './halves-module.ts';
import { Halves } from './halves.ts';
import { packedOf, packNumbers, withNumbers } from './packed-numbers.ts';
import { pruneAndRoundSteps } from './stored/prune-and-round.ts';

/** Returns all finite values of a 16-bit type; `value` decodes its bits. */
const allFinite = (value: (bits: number) => number): Float32Array =>
  Float32Array.from({ length: 65_536 }, (_, bits) => value(bits)).filter(Number.isFinite);

const TYPES = Object.entries({ f16: allFinite(f16Value), bf16: allFinite(bf16Value) });

/** Returns the same weights in two bytes each. */
function packed(weights: DecoderWeights): DecoderWeights {
  const { embedding, head, blocks, ...otherWeights } = weights;
  const halves = packNumbers(embedding);
  return withNumbers(
    { embedding: halves, head: head === embedding ? halves : packNumbers(head) },
    {
      ...otherWeights,
      blocks: blocks.map((block): BlockWeights => {
        const entries = BLOCK_MATRICES.map((name) => [name, packNumbers(block.matrices[name])] as const);
        return { ...block, matrices: withNumbers(Object.fromEntries(entries), {}) };
      }),
    },
  );
}

/** Returns random weights that are representable in f16. */
function halfWeights(config: DecoderConfig): DecoderWeights {
  const weights = randomWeights(config, 5);
  const roundedToF16 = (values: Float32Array): Float32Array => values.map((v) => f16Value(f16Bits(v)));
  const embedding = roundedToF16(weights.embedding);
  return {
    ...weights,
    embedding,
    head: weights.head === weights.embedding ? embedding : roundedToF16(weights.head),
    blocks: weights.blocks.map((block) => ({
      ...block,
      matrices: Object.fromEntries(
        BLOCK_MATRICES.map((name) => [name, roundedToF16(block.matrices[name])]),
      ) as BlockWeights['matrices'],
    })),
  };
}

describe('Halves, numbers in two bytes', () => {
  it.each(TYPES)('are widened to the same f32 bits: every finite %s', (_, values) => {
    const halves = Halves.from(values);
    expect(halves?.byteLength).toBe(2 * values.length);
    const widened = halves?.widen() ?? new Float32Array();
    expect(new Uint32Array(widened.buffer)).toEqual(new Uint32Array(values.buffer, values.byteOffset, values.length));
  });

  it.each(TYPES)('are widened to the same f32 bits without WebAssembly: every finite %s', async (_, values) => {
    vi.stubGlobal('WebAssembly', undefined);
    vi.resetModules();
    const { Halves: Plain } = await import('./halves.ts');
    const widened = Plain.from(values)?.widen(5, values.length) ?? new Float32Array();
    vi.unstubAllGlobals();
    expect(new Uint32Array(widened.buffer)).toEqual(new Uint32Array(values.slice(5).buffer));
  });

  it('are widened by the WebAssembly module that halves.wat assembles to', async () => {
    const { parseWat } = await wabt();
    const source = readFileSync(new URL('halves.wat', import.meta.url), 'utf8');
    const module = parseWat('halves.wat', source, { simd: true, mutable_globals: true });
    expect(HALVES_MODULE).toBe(Buffer.from(module.toBinary({}).buffer).toString('base64'));
  });

  it('are widened in part, and into an existing array', () => {
    const values = Float32Array.of(1, -2, 0.5, -0, 65_504);
    const halves = Halves.from(values);
    expect(halves?.widen(1, 3)).toEqual(Float32Array.of(-2, 0.5));
    const into = new Float32Array(3).fill(7);
    expect(halves?.widen(3, 5, into)).toBe(into);
    expect(into).toEqual(Float32Array.of(-0, 65_504, 7));
  });

  it('contain the numbers that either type can represent, and nothing else', () => {
    fc.assert(
      fc.property(fc.float32Array({ maxLength: 4 }), (values) => {
        const f16 = values.every((v) => Number.isFinite(v) && Object.is(f16Value(f16Bits(v)), v));
        const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
        const bf16 = values.every(Number.isFinite) && bits.every((b) => (b & 0xffff) === 0);
        const halves = Halves.from(values);
        expect(halves !== null).toBe(f16 || bf16);
        if (halves) expect([...halves.widen()].map((v, i) => Object.is(v, values[i]))).not.toContain(false);
      }),
    );
    for (const v of [2 ** -25, 65_520, 1 + 2 ** -11, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(Halves.from(Float32Array.of(v * (1 + 2 ** -20))), String(v)).toBeNull();
    }
  });
});

describe('a model in two bytes a weight', () => {
  const config = tinyConfig();
  const weights = halfWeights(config);
  const packedWeights = packed(weights);

  test('the CPU decoder computes the same logits as from f32 weights', async () => {
    const ids = randomIds(config, 19, 3);
    const [packedDecoder, expected] = [cpuDecoder(config, packedWeights), cpuDecoder(config, weights)];
    expect(await packedDecoder.feed(ids)).toEqual(await expected.feed(ids));
    expect(await packedDecoder.feed([1])).toEqual(await expected.feed([1]));
  });

  test('pruning and rounding give the same weights as from f32, still in two bytes', () => {
    const recipe = { pruning: { way: 'magnitude', density: 0.5 }, valueType: 'f16' } as const;
    const pruned = (original: DecoderWeights): DecoderWeights => {
      const steps = pruneAndRoundSteps(config, original, recipe);
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
      }
    };
    const [prunedPacked, expected] = [pruned(packedWeights), pruned(weights)];
    expect(prunedPacked.head).toEqual(expected.head);
    expect(packedOf(prunedPacked, 'embedding')).toBe(packedOf(packedWeights, 'embedding'));
    for (const [layer, { matrices }] of prunedPacked.blocks.entries()) {
      for (const name of blockMatrices(config)) {
        expect(packedOf(matrices, name)).toBeInstanceOf(Halves);
        expect(matrices[name]).toEqual(expected.blocks[layer].matrices[name]);
      }
    }
  });
});
