import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  biasCount,
  blockOf,
  embeddingWeights,
  kernelStarts,
  kvCacheBytesPerToken,
  matricesOf,
  type ModelShape,
  multipliedWeights,
  shapeGroups,
  weightsOf,
} from './model-shape.ts';
import { SHIPPED_MODELS, hubNameOf, KNOWN_MODELS } from './known-models.ts';

function model(name: string): ModelShape {
  const shape = KNOWN_MODELS.find((m) => m.name === name);
  if (!shape) throw new Error(`no model ${name}`);
  return shape;
}

/**
 * All parameters counted from the models' safetensors indices, and how many of them are in norms: two norms per block
 * and one at the end, four per block in Gemma 2, one each for q and k per block in Qwen3, and one for the stream of
 * keys and values per block in DeepSeek-V2. Norms of OPT and GPT-2 also have a bias.
 */
const PUBLISHED: readonly [name: string, parameters: number, inNorms: number][] = [
  ['Llama-2-7B', 6_738_415_616, 65 * 4096],
  ['Llama-2-13B', 13_015_864_320, 81 * 5120],
  ['Llama-2-70B', 68_976_648_192, 161 * 8192],
  ['Llama-3.1-8B', 8_030_261_248, 65 * 4096],
  ['Llama-3.1-70B', 70_553_706_496, 161 * 8192],
  ['Mistral-7B-v0.1', 7_241_732_096, 65 * 4096],
  ['Qwen2.5-0.5B', 494_032_768, 49 * 896],
  ['Qwen2.5-1.5B', 1_543_714_304, 57 * 1536],
  ['Qwen2.5-7B', 7_615_616_512, 57 * 3584],
  ['Qwen2.5-14B', 14_770_033_664, 97 * 5120],
  ['Qwen3-8B', 8_190_735_360, 73 * 4096 + 36 * 2 * 128],
  ['Gemma-2-9B', 9_241_705_984, (4 * 42 + 1) * 3584],
  ['Mixtral-8x7B', 46_702_792_704, 65 * 4096],
  ['Qwen3-30B-A3B', 30_532_122_624, 97 * 2048 + 48 * 2 * 128],
  ['DeepSeek-V2-Lite', 15_706_484_224, 55 * 2048 + 27 * 512],
  ['OPT-6.7B', 6_658_473_984, 65 * 2 * 4096],
  ['GPT-2', 124_439_808, 25 * 2 * 768],
  ['Tales 3.4M', 3_443_136, 13 * 192],
  ['Tales ReLU 3.4M', 3_443_136, 13 * 192],
  ['Tales pruned 3.4M', 3_443_136, 13 * 192],
  ['Tales 0.6M', 639_840, 9 * 96],
];

const size = fc.integer({ min: 1, max: 300 });
const anyModel: fc.Arbitrary<ModelShape> = fc
  .record({
    hidden: size,
    intermediate: size,
    layers: size,
    kvHeads: fc.integer({ min: 1, max: 8 }),
    perKv: fc.integer({ min: 1, max: 8 }),
    headDim: size,
    vocabulary: size,
    gated: fc.boolean(),
    positions: size,
    tied: fc.boolean(),
  })
  .map(({ perKv, ...rest }) => ({ name: 'any', heads: rest.kvHeads * perKv, biases: [], ...rest }));

it.each([
  ['Llama-2-7B', 32 * (3 + 1 + 3) + 1, 32 * (1 + 1 + 2) + 1], // q, k, v; o; gate, up, down; lm_head
  ['GPT-2', 12 * (3 + 1 + 2) + 1, 12 * (1 + 1 + 2) + 1], // no gate
  ['Mixtral-8x7B', 32 * (3 + 1 + 1 + 2) + 1, 32 * (1 + 1 + 1 + 2) + 1], // router; its two experts: gate and up, down
  ['Qwen3-30B-A3B', 48 * (3 + 1 + 1 + 2) + 1, 48 * (1 + 1 + 1 + 2) + 1],
  // q, kv_a, kv_b, o; one layer of gate, up, down; then router, experts, and gate, up, down of those that are shared
  ['DeepSeek-V2-Lite', 27 * 4 + 3 + 26 * (1 + 2 + 3) + 1, 27 * 4 + 2 + 26 * (1 + 2 + 2) + 1],
])('%s starts %d kernels for a token, %d with fused matrices', (name, separate, fused) => {
  expect([kernelStarts(model(name)), kernelStarts(model(name), 'fused')]).toEqual([separate, fused]);
});

describe('the known models', () => {
  it.each(PUBLISHED)('%s has the %d parameters that are counted from its files', (name, parameters, inNorms) => {
    expect(weightsOf(model(name)) + inNorms + biasCount(model(name))).toBe(parameters);
  });

  it('the known models are all in PUBLISHED, except for those of the TwELL paper', () => {
    // The paper of these has no files, only sizes: they are compared with its tables.
    const ofPaper = KNOWN_MODELS.map(({ name }) => name).filter((name) => name.startsWith('TwELL '));
    expect(PUBLISHED.map(([name]) => name)).toEqual(
      KNOWN_MODELS.map(({ name }) => name).filter((name) => !ofPaper.includes(name)),
    );
    // Without safetensors on the hub: OPT, the models of the paper, and the models that come with the page.
    const shipped = SHIPPED_MODELS.map(({ shape }) => shape.name);
    expect(KNOWN_MODELS.filter((model) => hubNameOf(model) === null).map(({ name }) => name)).toEqual([
      'OPT-6.7B',
      ...ofPaper,
      ...shipped,
    ]);
    expect(hubNameOf({ name: 'toString' })).toBeNull();
  });

  it('store only the narrow stream of DeepSeek-V2-Lite in its cache', () => {
    expect(kvCacheBytesPerToken(model('DeepSeek-V2-Lite'))).toBe(27 * (512 + 64) * 2);
  });

  it('add half a MiB to the cache for every token in Llama-2-7B, and an eighth in Llama-3.1-8B', () => {
    expect(kvCacheBytesPerToken(model('Llama-2-7B'))).toBe(2 ** 19);
    expect(kvCacheBytesPerToken(model('Llama-3.1-8B'))).toBe(2 ** 17);
  });
});

describe('the matrices of a mixture', () => {
  const lite = model('DeepSeek-V2-Lite');
  const listed = (m: ModelShape) =>
    matricesOf(m).map(({ names, rows, cols, count, active }) => [names.join(' '), rows, cols, count, active]);

  it('include matrices for each expert, of which a token uses a few, and the shared and first-layer matrices', () => {
    expect(listed(lite)).toEqual([
      ['q', 3072, 2048, 27, 27],
      ['kv_a', 576, 2048, 27, 27],
      ['kv_b', 4096, 512, 27, 27],
      ['o', 2048, 2048, 27, 27],
      ['gate', 10944, 2048, 1, 1],
      ['up', 10944, 2048, 1, 1],
      ['down', 2048, 10944, 1, 1],
      ['router', 64, 2048, 26, 26],
      ['expert_gate', 1408, 2048, 26 * 64, 26 * 6],
      ['expert_up', 1408, 2048, 26 * 64, 26 * 6],
      ['expert_down', 2048, 1408, 26 * 64, 26 * 6],
      ['shared_gate', 2816, 2048, 26, 26],
      ['shared_up', 2816, 2048, 26, 26],
      ['shared_down', 2048, 2816, 26, 26],
      ['lm_head', 102400, 2048, 1, 1],
    ]);
    const narrow = { ...lite, latent: { q: 1536, kv: 512, rope: 64, value: 128 } };
    expect(listed(narrow).slice(0, 2)).toEqual([
      ['q_a', 1536, 2048, 27, 27],
      ['q_b', 3072, 1536, 27, 27],
    ]);
  });

  it('are in one layer those of the first layer, which is dense, or of a chosen later layer', () => {
    expect(listed(blockOf(lite)).map(([name]) => name)).toEqual(['q', 'kv_a', 'kv_b', 'o', 'gate', 'up', 'down']);
    expect(listed(blockOf(lite, 5))[6]).toEqual(['expert_up', 1408, 2048, 64, 6]);
  });

  it('stay dense if they are routers', () => {
    expect(shapeGroups(lite).flatMap(({ parts, keptDense }) => (keptDense ? parts[0].names : []))).toEqual(['router']);
  });
});

describe('groups of matrices with one shape', () => {
  it('are five in Llama-3.1-8B, whose k and v are smaller', () => {
    const groups = shapeGroups(model('Llama-3.1-8B'));
    expect(
      groups.map(({ parts, rows, cols, count }) => [parts.flatMap((p) => p.names).join(' '), rows, cols, count]),
    ).toEqual([
      ['q o', 4096, 4096, 64],
      ['k v', 1024, 4096, 64],
      ['gate up', 14336, 4096, 64],
      ['down', 4096, 14336, 32],
      ['lm_head', 128256, 4096, 1],
    ]);
  });

  it('do not include an lm_head that stays dense, even if another matrix has its shape', () => {
    const square: ModelShape = { ...model('Llama-2-7B'), vocabulary: 4096 };
    expect(shapeGroups(square).some(({ parts }) => parts[0].names[0] === 'lm_head')).toBe(false);
    expect(shapeGroups(square, { keepHead: true }).at(-1)).toMatchObject({ rows: 4096, count: 1, keptDense: true });
  });

  it('contain all weights, whether matrices are fused or not, and lm_head is kept dense or not', () => {
    fc.assert(
      fc.property(anyModel, fc.boolean(), (m, keepHead) => {
        const weights = (fusion: 'separate' | 'fused'): number =>
          shapeGroups(m, { fusion, keepHead }).reduce((sum, { rows, cols, count }) => sum + rows * cols * count, 0);
        expect(weights('fused')).toBe(multipliedWeights(m));
        expect(weights('separate')).toBe(multipliedWeights(m));
        const { hidden: h, layers, heads, kvHeads, headDim, intermediate, vocabulary, gated, positions, tied } = m;
        const perBlock = 2 * h * headDim * (heads + kvHeads) + (gated ? 3 : 2) * h * intermediate;
        expect(multipliedWeights(m) + embeddingWeights(m)).toBe(
          layers * perBlock + ((tied ? 1 : 2) * vocabulary + positions) * h,
        );
      }),
    );
  });

  it('have their matrices in the order in which a token passes them', () => {
    const [qkv, o, gateUp, down, head] = matricesOf(model('Llama-3.1-70B'), 'fused');
    expect(qkv).toMatchObject({ rows: 8192 + 2 * 1024, cols: 8192 });
    expect(o).toMatchObject({ rows: 8192, cols: 8192 });
    expect(gateUp).toMatchObject({ rows: 2 * 28672, cols: 8192, count: 80 });
    expect(down).toMatchObject({ rows: 8192, cols: 28672 });
    expect(head).toMatchObject({ rows: 128_256, cols: 8192, count: 1 });
  });
});
