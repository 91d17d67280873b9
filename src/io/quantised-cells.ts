import { ReadError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { QUANTISED_GROUP, QuantisedMatrix } from '../core/matrix/quantised-matrix.ts';
import { Q4_GROUP_BYTES } from '../core/number/index.ts';
import { allocate, endedEarly } from './read-checks.ts';
import { readPieces } from './pieces.ts';
import type { FileSource } from './source.ts';

/** Supported quantised types: groups of 32 values, each a scale in f16 followed by 4 or 8 bits per value. */
export type QuantisedType = 'q4_0' | 'q8_0';

const SCALE_BYTES = 2;

/** Bytes of a group with its scale. */
export const QUANTISED_BLOCK_BYTES: Readonly<Record<QuantisedType, number>> = {
  q4_0: SCALE_BYTES + Q4_GROUP_BYTES,
  q8_0: SCALE_BYTES + QUANTISED_GROUP,
};

/** Reads rows of whole groups; scales and values stay as stored. Throws ReadError if the source ends too early. */
export async function readQuantised(
  source: FileSource,
  { rows, cols, type }: { readonly rows: number; readonly cols: number; readonly type: QuantisedType },
  job: Job,
): Promise<QuantisedMatrix> {
  const block = QUANTISED_BLOCK_BYTES[type];
  const groups = (rows * cols) / QUANTISED_GROUP;
  const expected = groups * block;
  const { scales, data } = allocate(`${rows} × ${cols} cells`, expected, () => ({
    scales: new Uint16Array(groups),
    data: new Uint8Array(groups * (block - SCALE_BYTES)),
  }));
  const scaleBytes = new Uint8Array(scales.buffer);
  const end = await readPieces(source, 0, expected, job, (piece, at) => {
    for (let i = 0; i < piece.length;) {
      const group = Math.floor((at + i) / block);
      const inBlock = (at + i) % block;
      const isScale = inBlock < SCALE_BYTES;
      const n = Math.min(piece.length - i, (isScale ? SCALE_BYTES : block) - inBlock);
      const bytes = piece.subarray(i, i + n);
      if (isScale) scaleBytes.set(bytes, group * SCALE_BYTES + inBlock);
      else data.set(bytes, group * (block - SCALE_BYTES) + inBlock - SCALE_BYTES);
      i += n;
    }
  });
  if (end < expected) {
    throw new ReadError(endedEarly(end, `${end} of ${expected}`, `${rows} × ${cols} of ${type}`));
  }
  return new QuantisedMatrix(
    rows,
    cols,
    type === 'q4_0' ? { kind: type, scales, data } : { kind: type, scales, data: new Int8Array(data.buffer) },
  );
}
