import { BLOCK_MATRICES } from '../../decoders/decoder.ts';
import { ImportedModels } from '../../models/imported-models.ts';
import { LoadedModels } from '../../models/loaded-models.ts';
import { browserModelStore } from '../../models/model-store.ts';
import { languageService } from './service.ts';
import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { ModelReader, CachedEnvironment } from '../../../../src/engine/matrix/loading.ts';

/** Reads matrices of language models for the engine, so that every page of the application can show them. */
export function modelReader(models: Pick<LoadedModels, 'load' | 'inputNorms'>): ModelReader {
  return {
    async read({ model: id, folder: url }, { layer, name: matrixName }, job) {
      const model = await models.load({ id, url }, job);
      const { weights } = model;
      const inBlock = BLOCK_MATRICES.find((matrix) => matrix === matrixName);
      if (inBlock === undefined || layer === null) return { weights: weights.head };
      return {
        weights: weights.blocks[layer].matrices[inBlock],
        inputs: {
          dataName: 'tales',
          norms: async (job: ServiceJob) => (await models.inputNorms(model, job))[layer][inBlock],
        },
      };
    },
  };
}

/** The service for language models and the reader of their matrices, which share the loaded models. */
export function openLanguage({ now, pause, threads, fetch, cache }: CachedEnvironment) {
  // `navigator.storage` is missing outside of secure contexts, and in tests.
  const storage = 'navigator' in globalThis && 'storage' in navigator ? navigator.storage : undefined;
  const imported = new ImportedModels({ fetch, cache, store: browserModelStore(storage) });
  const models = new LoadedModels({ now, pause, ...(threads && { threads }), fetch, imported });
  return { service: languageService({ models, imported }), models: modelReader(models) };
}
