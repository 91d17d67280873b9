import type { Job } from '../core/job.ts';
import { Pacer, throwIfCancelled } from '../core/pace.ts';
import type { FileSource } from './source.ts';

/** Calls `visit` with the bytes [from, from + length) of a source, piece by piece. Resolves with the source's size. */
export async function readPieces(
  source: FileSource,
  from: number,
  length: number,
  job: Job,
  visit: (piece: Uint8Array, at: number) => void,
): Promise<number> {
  const pacer = new Pacer();
  let position = 0;
  for await (const chunk of source.chunks()) {
    throwIfCancelled(job);
    const start = Math.min(chunk.length, Math.max(0, from - position));
    const end = Math.min(chunk.length, Math.max(0, from + length - position));
    if (end > start) visit(chunk.subarray(start, end), position + start - from);
    position += chunk.length;
    job.report({ what: 'Reading', ...source.position() });
    await pacer.pauseIfDue();
  }
  return position;
}

/**
 * Like `readPieces`, in batches of whole, aligned elements; `visit` may modify a batch, but not keep it. `batchBytes`: of
 * each but the last, a multiple of the size of an element. Default: 64 KiB.
 */
export async function readBatches(
  source: FileSource,
  from: number,
  length: number,
  job: Job,
  visit: (batch: Uint8Array, length: number, at: number) => void,
  batchBytes = BATCH_BYTES,
): Promise<number> {
  const batch = new Uint8Array(batchBytes);
  let inBatch = 0;
  let visited = 0; // bytes of the batches before
  return readPieces(source, from, length, job, (piece) => {
    for (let at = 0; at < piece.length;) {
      const n = Math.min(piece.length - at, batchBytes - inBatch);
      batch.set(piece.subarray(at, at + n), inBatch);
      at += n;
      inBatch += n;
      if (inBatch < batchBytes && visited + inBatch < length) continue;
      visit(batch, inBatch, visited);
      visited += inBatch;
      inBatch = 0;
    }
  });
}

/** Bytes per batch; a multiple of the size of every number. */
const BATCH_BYTES = 2 ** 16;
