import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { shortestF32 } from '../../core/number/index.ts';

/** A matrix as Matrix Market coordinate text, row-major, in chunks; each value in the fewest digits that give its f32. */
export function* writeMtx(m: Matrix): Generator<Uint8Array<ArrayBuffer>, void, void> {
  const encoder = new TextEncoder();
  const { columns, values } = rowBuffer(m.cols);
  const buffer = { columns, values };
  let text = `%%MatrixMarket matrix coordinate real general\n${m.rows} ${m.cols} ${m.nnz}\n`;
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    for (let i = 0; i < n; i++) {
      text += `${r + 1} ${columns[i] + 1} ${shortestF32(values[i])}\n`;
      if (text.length < CHUNK_CHARACTERS) continue;
      yield encoder.encode(text);
      text = '';
    }
  }
  yield encoder.encode(text);
}

/** Text that is collected before it is encoded to bytes. */
const CHUNK_CHARACTERS = 2 ** 16;
