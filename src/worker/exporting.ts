import type { AnyFormat, EncodedMatrix } from '../core/format.ts';
import { type Matrix, toCsr } from '../core/matrix/index.ts';
import { encodedFacts, encodedTensors } from '../io/named-tensors.ts';
import { writeMtx } from '../io/write-mtx.ts';
import { writeNpz, writeSparseNpz } from '../io/write-npz.ts';
import { writeSafetensors } from '../io/write-safetensors.ts';
import type { WorkerJob, Pace } from './jobs.ts';
import type { ArrayFile, MatrixFileKind } from './protocol.ts';

/** Pieces of text that are written between two pauses. */
const PIECES_PER_PAUSE = 16;

/** The arrays of an encoding as a file, under their documented names. */
export function encodingFile(format: AnyFormat, params: object, encoded: EncodedMatrix, kind: ArrayFile): Blob {
  const tensors = encodedTensors(encoded, format.storage(encoded));
  const facts = { format: format.id, params: JSON.stringify(params), ...encodedFacts(encoded) };
  const pieces = kind === 'npz' ? writeNpz(tensors, facts) : writeSafetensors(tensors, facts);
  return new Blob([...pieces]);
}

/** The matrix as a file. Throws CancelledError. */
export async function matrixFile(m: Matrix, kind: MatrixFileKind, job: WorkerJob, pace: Pace): Promise<Blob> {
  if (kind === 'npz') return new Blob([...writeSparseNpz(toCsr(m))]);
  const parts: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let written = 0;
  for (const piece of writeMtx(m)) {
    pieces.push(piece);
    written += piece.length;
    if (pieces.length < PIECES_PER_PAUSE) continue;
    // A browser may keep a Blob on the disk, but not an array.
    parts.push(new Blob(pieces));
    pieces = [];
    job.report({ what: 'Writing', done: written, total: Math.max(written, 20 * m.nnz) });
    await pace.pause();
    job.throwIfCancelled();
  }
  return new Blob([...parts, ...pieces]);
}
