import type { AnyFormat, EncodedMatrix } from '../../core/format.ts';
import type { Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer, toCsrSteps } from '../../core/matrix/index.ts';
import {
  encodedFacts,
  encodedTensors,
  writeMtx,
  npyHeader,
  writeNpzSteps,
  writeSparseNpzSteps,
  writeSafetensors,
} from '../../io/index.ts';
import type { ServiceJob } from '../bridge/service-job.ts';
import { shortestF32 } from '../../core/number/shortest-f32.ts';
import { finishPaced, type WorkerPace } from '../worker-pace.ts';
import type { ArrayFile, MatrixFileKind } from './matrix-types.ts';

// Writes the open matrix, or the arrays of its encoding, as a file.

/** Bytes copied between two pauses: a few milliseconds of work. */
const RANGE_BYTES = 2 ** 23;

/** Number of pieces of a file that are made between two pauses. */
const PIECES_PER_PAUSE = 16;

/** Writes the arrays of an encoding as a file, under their documented names. Throws CancelledError. */
export async function encodingFile(
  format: AnyFormat,
  params: object,
  encoded: EncodedMatrix,
  kind: ArrayFile,
  job: ServiceJob,
  pace: WorkerPace,
): Promise<Blob> {
  const tensors = encodedTensors(encoded, format.storage(encoded));
  const facts = { format: format.id, params: JSON.stringify(params), ...encodedFacts(encoded) };
  const pieces =
    kind === 'npz' ? await finishPaced(writeNpzSteps(tensors, facts), job, pace) : writeSafetensors(tensors, facts);
  return finishPaced(blobSteps(pieces), job, pace);
}

/** Writes the matrix as a file of `kind`. Throws CancelledError. */
export async function matrixFile(m: Matrix, kind: MatrixFileKind, job: ServiceJob, pace: WorkerPace): Promise<Blob> {
  if (kind === 'npz') {
    const csr = await finishPaced(toCsrSteps(m), job, pace);
    return finishPaced(blobSteps(await finishPaced(writeSparseNpzSteps(csr), job, pace)), job, pace);
  }
  const parts: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let written = 0;
  for (const piece of kind === 'mtx' ? writeMtx(m) : denseRows(m, kind)) {
    pieces.push(piece);
    written += piece.length;
    if (pieces.length < PIECES_PER_PAUSE) continue;
    // A browser may keep a Blob on the disk, but not an array.
    parts.push(new Blob(pieces));
    pieces = [];
    job.report({
      what: 'Writing',
      done: written,
      total: Math.max(written, kind === 'mtx' ? 20 * m.nnz : 4 * m.rows * m.cols),
    });
    await pace.pause();
    job.throwIfCancelled();
  }
  return new Blob([...parts, ...pieces]);
}

/** All cells, zeros too, a row at a time: as .npy in f32, or as CSV. O(rows × cols). */
function* denseRows(m: Matrix, kind: 'npy' | 'csv'): Generator<Uint8Array<ArrayBuffer>> {
  const { columns, values } = rowBuffer(m.cols);
  const text = new TextEncoder();
  if (kind === 'npy') yield npyHeader('<f4', [m.rows, m.cols]);
  for (let r = 0; r < m.rows; r++) {
    const row = new Float32Array(m.cols);
    const n = m.readRow(r, { columns, values });
    for (let i = 0; i < n; i++) row[columns[i]] = values[i];
    yield kind === 'npy' ? new Uint8Array(row.buffer) : text.encode(`${Array.from(row, shortestF32).join(',')}\n`);
  }
}

/** One Blob of the pieces of a file; yields after every RANGE_BYTES copied. */
function* blobSteps(pieces: readonly Uint8Array<ArrayBuffer>[]): Steps<Blob> {
  const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const parts: Blob[] = [];
  let done = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += RANGE_BYTES) {
      const part = piece.subarray(at, at + RANGE_BYTES);
      parts.push(new Blob([part]));
      done += part.length;
      if (done < total) yield { what: 'Writing', done, total };
    }
  }
  return new Blob(parts);
}
