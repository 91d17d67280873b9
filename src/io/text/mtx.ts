import { denseMatrix } from '../../core/matrix/index.ts';
import type { Job } from '../../core/job.ts';
import { cooNotes, csrFromCoo } from '../coo.ts';
import { type FileFormat, type ReadResult } from '../file-format.ts';
import { lineBlocks } from './line-blocks.ts';
import { latin1Text } from '../latin1.ts';
import { ArrayReader } from './mtx-array.ts';
import { CoordinateReader } from './mtx-coordinate.ts';
import { type MtxHeader, MtxHeaderReader } from './mtx-header.ts';
import { finishAsync } from '../../core/job.ts';
import { Pacer, threadPace, throwIfCancelled } from '../../core/pace.ts';
import type { FileSource } from '../source.ts';

/** A compressed file has no known size: initial capacity in entries. */
const ROOM_OF_COMPRESSED = 2 ** 16;

/**
 * Matrix Market exchange format, coordinate and array (Boisvert, Pozo, Remington, NISTIR 5935).
 * Deviations: comments and blank lines may occur between entries, and duplicates are summed.
 */
export const mtx: FileFormat = {
  id: 'mtx',
  title: 'Matrix Market',
  extensions: ['.mtx', '.mm'],
  sniff: (head) => /^(\u00ef\u00bb\u00bf)?%%matrixmarket/i.test(latin1Text(head.subarray(0, 32))),
  read,
};

async function read(source: FileSource, job: Job): Promise<ReadResult> {
  const headerReader = new MtxHeaderReader(source.maxSize);
  const pacer = new Pacer();
  let entries: CoordinateReader | ArrayReader | null = null;
  for await (const block of lineBlocks(source)) {
    throwIfCancelled(job);
    const at = headerReader.feed(block);
    if (headerReader.header) {
      entries ??= entriesReader(headerReader.header, headerReader.line, source);
      entries.feed(block, at);
    }
    job.report({ what: 'Reading', ...source.position() });
    await pacer.breathe();
  }
  const header = headerReader.complete();
  entries ??= entriesReader(header, headerReader.line, source);
  return entries instanceof ArrayReader ? arrayResult(header, entries) : coordinateResult(header, entries, job);
}

function entriesReader(header: MtxHeader, line: number, source: FileSource): CoordinateReader | ArrayReader {
  if (header.layout === 'array') return new ArrayReader(header, line);
  return new CoordinateReader(header, line, source.size === null ? ROOM_OF_COMPRESSED : header.entries);
}

function arrayResult(header: MtxHeader, reader: ArrayReader): ReadResult {
  const cells = reader.complete();
  return { matrix: denseMatrix(header.rows, header.cols, cells), notes: reader.losses.notes() };
}

async function coordinateResult(header: MtxHeader, reader: CoordinateReader, job: Job): Promise<ReadResult> {
  const result = await finishAsync(csrFromCoo(reader.complete(), header.symmetry), job, threadPace);
  const pattern = header.field === 'pattern' ? ['The file is a pattern without values: every entry is 1.'] : [];
  return { matrix: result.matrix, notes: [...reader.losses.notes(), ...pattern, ...cooNotes(result)] };
}
