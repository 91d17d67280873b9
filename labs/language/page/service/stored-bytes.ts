// Counts the bytes of a pruned model's matrices in a format.

import { FormatError, MatrixError } from '../../../../src/core/errors.ts';
import { resolvedParams } from '../../../../src/core/format.ts';
import { denseMatrix } from '../../../../src/core/matrix/index.ts';
import type { ServiceJob } from '../../../../src/engine/bridge/service-job.ts';
import type { EngineHost } from '../../../../src/engine/host.ts';
import { finishPaced } from '../../../../src/engine/worker-pace.ts';
import { blockMatrices, blockMatrixShape } from '../../decoders/decoder.ts';
import type { LoadedModels } from '../../models/loaded-models.ts';
import { unroundedRecipe } from './request-recipes.ts';
import type { OnStoredMatrix, StoredMatrix, StoredRequest } from './types.ts';

/** Maximum number of requests whose results are cached. */
const MAX_CACHED = 16;
const REPORT_EVERY_MS = 50;

/** Results by request, the oldest first. */
const cachedBytes = new Map<string, readonly StoredMatrix[]>();

/** Reports, in batches, the bytes of each pruned block matrix in its format. Throws ReadError, CancelledError. */
export async function storedBytes(
  host: EngineHost,
  models: LoadedModels,
  request: StoredRequest,
  job: ServiceJob,
  onMatrix: OnStoredMatrix,
): Promise<void> {
  const { model: address, overrides = [] } = request;
  const key = JSON.stringify([address.id, { ...request, model: null }]);
  const cached = cachedBytes.get(key);
  if (cached) return onMatrix(cached);
  const model = await models.load(address, job);
  const weights = await models.pruned(model, unroundedRecipe(request), job);
  const counted: StoredMatrix[] = [];
  let unsent: StoredMatrix[] = [];
  let sentAt = host.now();
  for (const [layer, { matrices }] of weights.blocks.entries()) {
    for (const name of blockMatrices(model.config)) {
      const [rows, cols] = blockMatrixShape(model.config, name);
      const matrix = denseMatrix(rows, cols, matrices[name]);
      const matrixAt = { layer, name };
      const chosen = overrides.find((entry) => entry.layer === layer && entry.name === name) ?? request;
      const format = host.format(chosen.format);
      try {
        const complete = resolvedParams(format.params, chosen.params, matrix);
        const encoded = await finishPaced(format.encodeSteps(matrix, complete), job, host);
        unsent.push({ ...matrixAt, bytes: format.storage(encoded).totalBytes });
      } catch (error) {
        if (!(error instanceof FormatError || error instanceof MatrixError)) throw error;
        unsent.push({ ...matrixAt, bytes: null, reason: error.message });
      }
      job.throwIfCancelled();
      if (host.now() - sentAt < REPORT_EVERY_MS) continue;
      sentAt = host.now();
      await onMatrix(unsent);
      counted.push(...unsent); // bounded: matrices of a model
      unsent = [];
    }
  }
  await onMatrix(unsent);
  cachedBytes.set(key, [...counted, ...unsent]);
  for (const oldest of cachedBytes.keys()) {
    if (cachedBytes.size <= MAX_CACHED) break;
    cachedBytes.delete(oldest);
  }
}
