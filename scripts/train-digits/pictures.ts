import { type Matrix, rowBuffer } from '../../src/core/matrix/index.ts';
import { PICTURE_EDGE, type GalleryPicture } from '../../src/io/gallery-pictures.ts';

/**
 * A small picture of a matrix's non-zeros: its longer side has 32 pixels, each a hexadecimal digit for the density of
 * its cells, from 0 (none) to f (all), on a square-root scale, so that thin diagonals are visible.
 */
export function pictureOf(m: Matrix): GalleryPicture {
  const scale = Math.max(m.rows, m.cols, 1) / PICTURE_EDGE;
  const height = Math.max(1, Math.round(m.rows / scale));
  const width = Math.max(1, Math.round(m.cols / scale));
  const counts = new Float64Array(width * height);
  const sizes = new Float64Array(width * height);
  const buffer = rowBuffer(m.cols);
  const columnOf = (c: number): number => Math.floor((c * width) / m.cols);
  for (let r = 0; r < m.rows; r++) {
    const first = Math.floor((r * height) / m.rows) * width;
    for (let c = 0; c < m.cols; c++) sizes[first + columnOf(c)]++;
    const n = m.readRow(r, buffer);
    for (let i = 0; i < n; i++) counts[first + columnOf(buffer.columns[i])]++;
  }
  const digits = Array.from(counts, (count, i) =>
    Math.ceil(15 * Math.sqrt(count / Math.max(1, sizes[i]))).toString(16),
  );
  return { width, height, fullness: digits.join('') };
}
