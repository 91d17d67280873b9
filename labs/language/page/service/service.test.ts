// Importing or removing a model frees the decoder of the model that was imported before.

import { afterEach, expect, test, vi } from 'vitest';
import { ARCHITECTURES, filesOf, makeModel, pickedFiles } from '../../test/models/make.ts';
import { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import { createHost } from '../../../../src/engine/host.ts';
import { formats } from '../../../../src/formats/registry.ts';
import { exampleDevice } from '../../../../src/gpu/index.ts';
import { RemoteCache } from '../../../../src/io/web/remote-cache.ts';
import { Chain } from '../../decoders/chain/chain.ts';
import { cpuDecoder } from '../../decoders/cpu/cpu-decoder.ts';
import { UNCHANGED } from '../../decoders/stored/recipe.ts';
import { ImportedModels } from '../../models/imported-models.ts';
import { LoadedModels } from '../../models/loaded-models.ts';
import { languageService } from './service.ts';
import { TextWriter } from './write.ts';

afterEach(() => vi.restoreAllMocks());

const job = (): ServiceJob => new ServiceJob({ now: () => 0 });
const pace = { now: () => 0, pause: () => Promise.resolve() };
const fetch = (): Promise<Response> => Promise.reject(new Error('nothing is fetched'));

test.each(['bring', 'forget'] as const)('%s frees the model that was imported before', async (method) => {
  const imported = new ImportedModels({ fetch, cache: new RemoteCache() });
  const models = new LoadedModels({ ...pace, fetch, imported });
  const host = createHost({ ...pace, fetch, app: '', runtime: '', formats, gpu: undefined, isSecure: true });
  vi.spyOn(host.device, 'open').mockResolvedValue({ facts: exampleDevice(), lostReason: null } as never);
  const service = await languageService({ models, imported }).methods(host);

  const request = pickedFiles(filesOf(makeModel(ARCHITECTURES.llama, 11)));
  const { id } = await service.bring(job(), request, false);
  const address = { id, url: id };
  const { config, weights } = await models.load(address, job());
  const destroy = vi.fn<() => void>();
  vi.spyOn(Chain, 'open').mockResolvedValue(Object.assign(cpuDecoder(config, weights), { destroy }) as never);
  const { where } = await service.userText(job(), { model: address, recipe: UNCHANGED, text: 'A cat. '.repeat(30) });
  const forgetting = vi.spyOn(TextWriter.prototype, 'forget');
  expect([where, destroy.mock.calls.length]).toEqual(['gpu', 0]);

  await (method === 'bring' ? service.bring(job(), request, false) : service.forget(job(), id));
  expect([destroy.mock.calls.length, forgetting.mock.calls.length]).toEqual([1, 1]);
});
