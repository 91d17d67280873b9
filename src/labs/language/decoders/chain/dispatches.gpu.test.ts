import { expect, test, vi } from 'vitest';
import { chainModel, encodeWith } from '../../../../../test/language/chain-weights.ts';
import { randomWeights, tinyConfig } from '../../../../../test/language/decoders.ts';
import { openTestDevice } from '../../../../../test/gpu.ts';
import { formatById } from '../../../../formats/registry.ts';
import { tokenDispatches } from '../../theory/token-dispatches.ts';
import { Chain } from './chain.ts';

// Of a token that is drawn in one dispatch, and of one that takes two.
test.for([53, 4097])(
  'a chain of dense matrices has the dispatches that are counted without a device, of %i',
  async (vocabulary) => {
    const context = await openTestDevice();
    const config = tinyConfig({ vocabulary });
    const encode = encodeWith(context, formatById('dense'), { valueType: 'f32' }, { gemm: false });
    const model = await chainModel(config, randomWeights(config, 3), encode, encode, true);
    const chain = await Chain.open(context, config, model.chain);
    const isProduct = chain.launches.map(({ kind }) => kind === 'matrices' || kind === 'head');
    const dispatches = tokenDispatches(config);
    expect(dispatches.map(({ cells }) => cells > 0)).toEqual(isProduct);
    // A small model waits for the CPU that encodes its tokens: each call counts.
    const calls: string[] = [];
    const pass = Object.fromEntries(
      ['setPipeline', 'setBindGroup', 'dispatchWorkgroups'].map((name) => [name, () => calls.push(name)]),
    ) as unknown as GPUComputePassEncoder;
    chain.encodeTokens(pass, 16);
    expect(calls).toHaveLength(3 * (chain.beginning.length + 16 * dispatches.length));
    chain.destroy();
    context.destroy();
  },
);

test('a product also binds the matrix of the next, and the head that of the first', async () => {
  const context = await openTestDevice();
  const config = tinyConfig({ context: 8 });
  const encode = encodeWith(context, formatById('dense'), { valueType: 'f32' }, { gemm: false });
  const model = await chainModel(config, randomWeights(config, 3), encode, encode, true);
  const created = vi.spyOn(context.device, 'createBindGroup');
  const chain = await Chain.open(context, config, model.chain);
  const boundBy = (group: GPUBindGroup): readonly string[] => {
    const call = created.mock.results.findIndex(({ value }) => value === group);
    return [...created.mock.calls[call][0].entries].map(({ resource }) => {
      const { buffer, offset = 0 } = resource as GPUBufferBinding;
      return `${buffer.label} at ${offset}`;
    });
  };
  const products = chain.launches.filter(({ product }) => product !== undefined).map(({ group }) => boundBy(group));
  expect(products).toHaveLength(4 * config.layers + 1);
  for (const [i, product] of products.entries()) {
    // The values are the second of what a dense kernel binds.
    expect(product).toContain(products[(i + 1) % products.length][1]);
  }
  chain.destroy();
  context.destroy();
});
