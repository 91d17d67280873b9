import type { ServiceJob } from '../../../engine/bridge/job.ts';
import type { ModelReader } from '../../../engine/matrix/loading.ts';
import type { LoadedModels } from './loaded-models.ts';

/** Reads the matrices of models that come with the page, for any place. */
export function modelReader(models: LoadedModels): ModelReader {
  return {
    async read({ model: id, folder: url }, { layer, name }, job) {
      const model = await models.of({ id, url }, job);
      const { weights } = model;
      if (name === 'lm_head' || layer === null) return { weights: weights.head };
      return {
        weights: weights.blocks[layer].matrices[name],
        inputs: {
          of: 'tales',
          norms: async (job: ServiceJob) => (await models.inputNorms(model, job))[layer][name],
        },
      };
    },
  };
}
