import { FormatError, MatrixError } from '../../../../core/errors.ts';
import { resolvedParams } from '../../../../core/format.ts';
import { denseMatrix } from '../../../../core/matrix/index.ts';
import type { ServiceJob } from '../../../../engine/bridge/job.ts';
import type { EngineHost } from '../../../../engine/host.ts';
import { finishPaced } from '../../../../engine/pace.ts';
import { blockMatrices, blockMatrixShape } from '../../decoders/decoder.ts';
import type { LoadedModels } from '../../models/loaded-models.ts';
import { prunedRecipe } from './recipe-of.ts';
import type { OnStoredMatrix, StoredMatrix, StoredRequest } from './types.ts';

/** Maximum cached results of storedBytes, by request. */
const KEPT = 16;

const keptBytes = new Map<string, readonly StoredMatrix[]>();

/** Encodes every matrix of the blocks and reports its bytes when they are known. Throws ReadError and CancelledError. */
export async function storedBytes(
  host: EngineHost,
  models: LoadedModels,
  request: StoredRequest,
  job: ServiceJob,
  onMatrix: OnStoredMatrix,
): Promise<void> {
  const { model: address, own = [] } = request;
  const key = JSON.stringify([address.id, { ...request, model: null }]);
  const known = keptBytes.get(key);
  if (known) return onMatrix(known);
  const model = await models.of(address, job);
  const weights = await models.stored(model, prunedRecipe(request), job);
  const all: StoredMatrix[] = [];
  let waiting: StoredMatrix[] = [];
  let sentAt = host.now();
  for (const [layer, { matrices }] of weights.blocks.entries()) {
    for (const name of blockMatrices(model.config)) {
      const [rows, cols] = blockMatrixShape(model.config, name);
      const matrix = denseMatrix(rows, cols, matrices[name]);
      const place = { layer, name };
      const stored = own.find((one) => one.layer === layer && one.name === name) ?? request;
      const format = host.format(stored.format);
      try {
        const complete = resolvedParams(format.params, stored.params, matrix);
        const encoded = await finishPaced(format.encodeSteps(matrix, complete), job, host);
        waiting.push({ ...place, bytes: format.storage(encoded).totalBytes });
      } catch (error) {
        if (!(error instanceof FormatError || error instanceof MatrixError)) throw error;
        waiting.push({ ...place, bytes: null, reason: error.message });
      }
      job.throwIfCancelled();
      if (host.now() - sentAt < 50) continue;
      sentAt = host.now();
      await onMatrix(waiting);
      all.push(...waiting); // bounded: matrices of a model
      waiting = [];
    }
  }
  await onMatrix(waiting);
  keptBytes.set(key, [...all, ...waiting]);
  for (const oldest of keptBytes.keys()) {
    if (keptBytes.size <= KEPT) break;
    keptBytes.delete(oldest);
  }
}
