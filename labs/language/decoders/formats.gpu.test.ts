import { beforeAll, describe, expect } from 'vitest';
import { chainModel, encodeWith } from '../test/chain-weights.ts';
import { randomIds } from '../test/decoders.ts';
import { fetchedModel } from '../test/fetched-model.ts';
import { sharedTestDevice } from '../../../test/gpu.ts';
import { savedLogits } from '../test/saved-logits.ts';
import { scheduled } from '../../../test/scheduled.ts';
import { type AnyFormat, defaultParams, type EncodedMatrix } from '../../../src/core/format.ts';
import { type KernelSpec, unsuitedReason } from '../../../src/core/kernel/kernel.ts';
import type { GpuContext } from '../../../src/gpu/index.ts';
import { Chain } from './chain/chain.ts';
import {
  BLOCK_MATRICES,
  blockMatrixShape,
  type BlockWeights,
  type DecoderConfig,
  type DecoderWeights,
} from './decoder.ts';
import { oracleLogits } from './oracle/oracle.ts';
import { formatById, formats, referenceFormat } from '../../../src/formats/registry.ts';

/**
 * A chain computes the same logits in any format of its blocks' matrices: the logits of the oracle with the cells as
 * stored.
 */

let context: GpuContext;
/** The first block of the smallest model that comes with the page, between its embedding and its head. */
let config: DecoderConfig;
/** Its weights. The blocks' matrices keep two in eight columns, in a pattern that every format supports. */
let weights: DecoderWeights;
let ids: readonly number[];
beforeAll(async () => {
  context = await sharedTestDevice();
  const model = await fetchedModel(`${import.meta.env.BASE_URL}models/tales-small`);
  config = { ...model.config, layers: 1 };
  weights = {
    ...model.weights,
    blocks: model.weights.blocks.slice(0, 1).map((block) => ({ ...block, matrices: thinned(block.matrices) })),
  };
  ids = randomIds(config, 64, 18);
});

/** Returns the matrices of a block with two of every eight columns; the other weights are 0. */
function thinned(matrices: BlockWeights['matrices']): BlockWeights['matrices'] {
  const entries = BLOCK_MATRICES.map((name) => {
    const [, cols] = blockMatrixShape(config, name);
    const cells = matrices[name].map((value, i) => {
      const row = Math.floor(i / cols);
      const column = (i % cols) % 8;
      // The remaining weights are doubled, because fewer of them add up.
      return column === (3 * row) % 4 || column === 4 + (row % 4) ? 2 * value : 0;
    });
    return [name, cells] as const;
  });
  return Object.fromEntries(entries) as BlockWeights['matrices'];
}

/** The kernel of the reference format that a software GPU compiles fastest. */
const QUICK_GEMM = 'dense/gemm_split';

/** Kernels that a software GPU compiles for seconds, and twins without subgroups: the contract's tests run them. */
const LEFT_OUT = /_(staged|staged_x16|panels|rows|rows_x16|owned_rows|natural|workgroup)$/;

/** The first SpMV kernel of a format that does not round x and is not left out. */
function kernelOf(format: AnyFormat): KernelSpec<EncodedMatrix> {
  const specs: readonly KernelSpec<EncodedMatrix>[] = format.kernels;
  const [first] = specs.filter(
    ({ id, operation }) => operation === 'spmv' && !LEFT_OUT.test(id) && !id.endsWith('_x16'),
  );
  return first;
}

describe.each(formats)('a chain of $id', (format) => {
  scheduled(
    'every format goes the same way through a chain, and a software GPU needs seconds to compile its kernels',
    'src/formats/contract/kernels.gpu.test.ts, which runs each of these kernels, and labs/language/decoders/shapes/decode-shapes.gpu.test.ts, where every stage of a chain of MACKO is right',
    `with ${kernelOf(format).id} has the logits of the oracle`,
    () => checkKernel(format),
  );
});

scheduled(
  'a software GPU compiles the kernel for seconds',
  'src/formats/contract/kernels.gpu.test.ts, which multiplies with values of 4 bits, and labs/language/decoders/shapes/decode-shapes.gpu.test.ts, where MACKO has others',
  'a chain of MACKO with values of 4 bits has the logits of the oracle',
  () => checkKernel(formatById('macko'), { valueType: 'i4' }),
);

async function checkKernel(format: AnyFormat, overrides: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const spec = kernelOf(format);
  // Of the layouts with tiles, this one has the most slots.
  const compression = 'compression' in format.params ? { compression: 2 } : {};
  const params = { ...defaultParams(format.params), ...compression, ...firstOf(spec.only), ...overrides };
  if (unsuitedReason(spec, params) !== null) expect.fail(`${spec.id}: found no parameters that it supports`);
  const encode = encodeWith(context, format, params, { kernel: spec.id });
  const head = encodeWith(context, referenceFormat, { valueType: 'f16' }, { gemm: QUICK_GEMM });
  const model = await chainModel(config, weights, encode, head, true);
  const chain = await Chain.open(context, config, model.chain);
  const logits = await chain.feed(ids);
  const expected = oracleLogits(config, model.stored, ids);
  expect(savedLogits(logits, expected, config.vocabulary)).toMatchObject({ ok: true, firstOther: null });
  chain.destroy();
}

function firstOf(only: KernelSpec<EncodedMatrix>['only'] = {}): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(only).map(([name, values]) => [name, values[0]]));
}
