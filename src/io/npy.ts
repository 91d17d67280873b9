import { ReadError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { denseMatrix } from '../core/matrix/index.ts';
import { allocate, checkDimensions, type FileFormat, type ReadResult, stopIfCancelled } from './file-format.ts';
import { isNpy, type NpyHeader, npyHeaderEnd, parseNpyHeader } from './npy-header.ts';
import { elementConverter } from './npy-elements.ts';
import { Pacer } from './pause.ts';
import { type FileSource, readHead } from './source.ts';
import { ValueLosses } from './value-losses.ts';

/** Bytes that are converted at once; a multiple of every element size. */
const BATCH_BYTES = 2 ** 16;

/** NumPy's array file, versions 1 to 3, of one or two dimensions (numpy.lib.format). */
export const npy: FileFormat = {
  id: 'npy',
  title: 'NumPy array',
  extensions: ['.npy'],
  sniff: isNpy,
  read,
};

async function read(source: FileSource, job: Job): Promise<ReadResult> {
  const header = await readHeader(source);
  const notes: string[] = [];
  const [rows, cols] = checkedShape(header, source, notes);
  const count = rows * cols;
  const cells = allocate(`${rows} x ${cols} cells`, 4 * count, () => new Float32Array(count));

  const losses = new ValueLosses();
  const convert = elementConverter(header.type, losses);
  const place = header.isFortranOrder ? columnMajor(cells, rows, cols) : rowMajor(cells);
  const bytesWanted = count * header.type.bytes;
  const batch = new Uint8Array(BATCH_BYTES);
  let inBatch = 0;
  let taken = 0;
  let position = 0;
  const pacer = new Pacer();
  for await (const chunk of source.chunks()) {
    stopIfCancelled(job);
    let at = Math.min(chunk.length, Math.max(0, header.dataOffset - position));
    position += chunk.length;
    while (at < chunk.length && taken + inBatch < bytesWanted) {
      const n = Math.min(chunk.length - at, BATCH_BYTES - inBatch, bytesWanted - taken - inBatch);
      batch.set(chunk.subarray(at, at + n), inBatch);
      at += n;
      inBatch += n;
      if (inBatch < BATCH_BYTES && taken + inBatch < bytesWanted) continue;
      place(convert(batch, inBatch), taken / header.type.bytes);
      taken += inBatch;
      inBatch = 0;
    }
    job.report({ what: 'Reading', ...source.position() });
    await pacer.breathe();
  }
  if (taken < bytesWanted) {
    throw new ReadError(
      `byte ${position}: found the end of the file after ${taken + inBatch} of ${bytesWanted} bytes of data for ${rows} x ${cols} of ${header.type.descr}, expected the others`,
    );
  }
  const surplus = position - header.dataOffset - bytesWanted;
  if (surplus > 0) notes.push(`${surplus} bytes after the array were not read.`);
  notes.push(...losses.notes());
  return { matrix: denseMatrix(rows, cols, cells), notes };
}

async function readHeader(source: FileSource): Promise<NpyHeader> {
  const end = npyHeaderEnd(await readHead(source, 12));
  const head = await readHead(source, end);
  if (head.length < end) {
    throw new ReadError(`byte ${head.length}: found the end of the file, expected a header of ${end} bytes`);
  }
  return parseNpyHeader(head);
}

/** Rows and columns that can be opened, with the bytes for them in the file. */
function checkedShape(header: NpyHeader, source: FileSource, notes: string[]): readonly [number, number] {
  const { shape, type } = header;
  if (type.kind === 'S') throw new ReadError(`header: found text (${type.descr}), expected numbers`);
  if (shape.length < 1 || shape.length > 2) {
    throw new ReadError(
      `header: found shape (${shape.join(', ')}), expected two dimensions${shape.length > 2 ? '; reshape the array or save one slice of it' : ''}`,
    );
  }
  if (shape.length === 1) notes.push(`The array has one dimension: it is opened as one row of ${shape[0]}.`);
  const [rows, cols] = shape.length === 1 ? [1, shape[0]] : shape;
  checkDimensions('header', rows, cols, source.maxSize);
  const bytes = rows * cols * type.bytes;
  const most = source.maxSize - header.dataOffset;
  if (bytes > most) {
    throw new ReadError(
      `header: found shape (${shape.join(', ')}) of ${type.descr}, which takes ${bytes} bytes, expected at most ${most} in this file`,
    );
  }
  return [rows, cols];
}

/** Puts elements into row-major cells; called with the elements in file order and the number of the first. */
type Place = (elements: Float32Array, first: number) => void;

function rowMajor(cells: Float32Array): Place {
  return (elements, first) => cells.set(elements, first);
}

function columnMajor(cells: Float32Array, rows: number, cols: number): Place {
  return (elements, first) => {
    let row = first % rows;
    let col = (first - row) / rows;
    for (let i = 0; i < elements.length; i++) {
      cells[row * cols + col] = elements[i];
      if (++row < rows) continue;
      row = 0;
      col++;
    }
  };
}
