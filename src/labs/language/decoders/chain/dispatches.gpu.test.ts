import { expect, test } from 'vitest';
import { chainModel, encodeWith } from '../../../../../test/language/chain-weights.ts';
import { randomWeights, tinyConfig } from '../../../../../test/language/decoders.ts';
import { openTestDevice } from '../../../../../test/gpu.ts';
import { formatById } from '../../../../formats/registry.ts';
import { tokenDispatches } from '../../theory/token-dispatches.ts';
import { Chain } from './chain.ts';

test('a chain of dense matrices has the dispatches that are counted without a device', async () => {
  const context = await openTestDevice();
  const config = tinyConfig();
  const encode = encodeWith(context, formatById('dense'), { valueType: 'f32' }, { gemm: false });
  const model = await chainModel(config, randomWeights(config, 3), encode, encode, true);
  const chain = await Chain.open(context, config, model.chain);
  const isProduct = chain.launches.map(({ kind }) => kind === 'matrices' || kind === 'head');
  chain.destroy();
  context.destroy();
  expect(tokenDispatches(config).map(({ cells }) => cells > 0)).toEqual(isProduct);
});
