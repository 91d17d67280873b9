import { FormatError, MatrixError } from '../../../core/errors.ts';
import { resolvedParams } from '../../../core/format.ts';
import { denseMatrix } from '../../../core/matrix/index.ts';
import type { ServiceJob } from '../../../engine/bridge/job.ts';
import type { EngineHost } from '../../../engine/host.ts';
import { finishPaced } from '../../../engine/pace.ts';
import { blockMatrices, blockMatrixShape } from '../../../language/decoder.ts';
import { recipeOf } from './recipe-of.ts';
import type { OnStoredMatrix, StoredBytesRequest, StoredMatrix } from './types.ts';

/** Models whose bytes are kept, by what was asked. */
const KEPT = 16;

const keptBytes = new Map<string, readonly StoredMatrix[]>();

/** Encodes every matrix of the blocks and tells its bytes as they come. Throws ReadError and CancelledError. */
export async function storedBytes(
  host: EngineHost,
  { model: address, pruning, format: id, params }: StoredBytesRequest,
  job: ServiceJob,
  onMatrix: OnStoredMatrix,
): Promise<void> {
  const key = JSON.stringify([address.id, pruning, id, params]);
  const known = keptBytes.get(key);
  if (known) return onMatrix(known);
  const format = host.format(id);
  const { models } = host.loading;
  const model = await models.of(address, job);
  const weights = await models.stored(model, recipeOf(pruning), job);
  const all: StoredMatrix[] = [];
  let waiting: StoredMatrix[] = [];
  let sentAt = host.now();
  for (const [layer, { matrices }] of weights.blocks.entries()) {
    for (const name of blockMatrices(model.config)) {
      const [rows, cols] = blockMatrixShape(model.config, name);
      const matrix = denseMatrix(rows, cols, matrices[name]);
      const place = { layer, name };
      try {
        const complete = resolvedParams(format.params, params, matrix);
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
