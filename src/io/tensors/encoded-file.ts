import { ReadError } from '../../core/errors.ts';
import type { NamedArray } from '../../core/format.ts';
import { counted } from '../../core/text/words.ts';
import { isZip, readZipDirectory, zipMember } from '../archives/zip.ts';
import { MAX_DECOMPRESSED_BYTES } from '../archives/decompression-limit.ts';
import { NO_JOB } from '../../core/job.ts';
import type { ElementType } from '../elements.ts';
import { numberType, readNpyHeader } from '../numpy/npy.ts';
import { fileSource, type MatrixFile, type RandomAccessSource, readBytes, readHead, readWhole } from '../source.ts';
import { isSafetensors, readSafetensorsHeader } from './safetensors-header.ts';

/** A file with the arrays of an encoded matrix and their metadata, from `writeNpzSteps` or `writeSafetensors`. */
export interface EncodedFile {
  readonly arrays: Readonly<Record<string, NamedArray>>;
  /** metadata as text: format, params as JSON, rows, cols, nnz ... */
  readonly facts: Readonly<Record<string, string>>;
}

/** The typed array of each element type that formats store; f16 and bf16 as their bits. */
const ARRAYS: Partial<Record<ElementType, new (bytes: ArrayBuffer) => NamedArray>> = {
  f32: Float32Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
  i8: Int8Array,
};
const EXPECTED = 'expected the arrays of a format in .npz or .safetensors';

/** A file without an encoded matrix; it may be intact. */
export class OtherFileError extends ReadError {}

/**
 * Reads the arrays of an encoded matrix from a file in .npz or .safetensors. Throws OtherFileError for a file that does
 * not name its format, before any array is read, and ReadError for a broken file.
 */
export async function readEncodedFile(file: MatrixFile): Promise<EncodedFile> {
  const source = fileSource(file);
  try {
    const head = await readHead(source, 10);
    if (isZip(head)) return await openNpz(source);
    if (isSafetensors(head)) return await openSafetensors(source);
    throw new OtherFileError(`found a file of another kind, ${EXPECTED}`);
  } catch (error) {
    if (!(error instanceof ReadError) || source.name === '') throw error;
    const Named = error instanceof OtherFileError ? OtherFileError : ReadError;
    throw new Named(`${source.name}: ${error.message}`);
  }
}

/** The bytes of an array as numbers of its type. Throws ReadError for a type that no format stores. */
function arrayOf(name: string, type: ElementType | null, bytes: Uint8Array): NamedArray {
  const TypedArray = type === null ? undefined : ARRAYS[type];
  if (!TypedArray) throw new ReadError(`found ${name} of another type, ${EXPECTED}`);
  return new TypedArray(bytes.slice().buffer);
}

/**
 * The metadata of an encoded matrix. Throws OtherFileError for metadata without both format and rows: files of PyTorch
 * have a format, too ('pt'), but no rows.
 */
function factsOf(bytes: Uint8Array, pick: (json: unknown) => unknown): EncodedFile['facts'] {
  let facts: unknown;
  try {
    facts = pick(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    // Without valid JSON there is no metadata.
  }
  if (typeof facts !== 'object' || facts === null) throw new OtherFileError(`found no metadata, ${EXPECTED}`);
  const { format, rows } = facts as Readonly<Record<string, unknown>>;
  if (typeof format !== 'string' || rows === undefined) {
    throw new OtherFileError(`found no format with rows in its metadata, ${EXPECTED}`);
  }
  return facts as EncodedFile['facts'];
}

async function openNpz(source: RandomAccessSource): Promise<EncodedFile> {
  const members = await readZipDirectory(source, MAX_DECOMPRESSED_BYTES);
  const meta = members.find(({ name }) => name === 'meta.json');
  if (!meta) throw new OtherFileError(`found no metadata, ${EXPECTED}`);
  const facts = factsOf(await readWhole(zipMember(source, meta)), (json) => json);
  const arrays: Record<string, NamedArray> = {};
  for (const member of members.filter(({ name }) => name.endsWith('.npy'))) {
    const content = await readWhole(zipMember(source, member));
    const header = await readNpyHeader(fileSource({ name: member.name, bytes: content }));
    const name = member.name.slice(0, -'.npy'.length);
    const { type, shape, dataOffset } = header;
    const data = content.subarray(dataOffset);
    const size = shape.reduce((product, n) => product * n, type.bytes);
    if (data.length !== size) throw new ReadError(`found ${counted(data.length, 'byte')} of ${name}, expected ${size}`);
    arrays[name] = arrayOf(name, type.isBigEndian ? null : numberType(header), data);
  }
  return { arrays, facts };
}

async function openSafetensors(source: RandomAccessSource): Promise<EncodedFile> {
  const tensors = await readSafetensorsHeader(source, NO_JOB);
  const length = Number(new DataView((await readBytes(source, 0, 8)).slice().buffer).getBigUint64(0, true));
  const header = await readBytes(source, 8, 8 + length);
  const facts = factsOf(header, (json) => (json as Record<string, unknown>)['__metadata__']);
  const arrays: Record<string, NamedArray> = {};
  for (const { name, type, from, to, truncation } of tensors) {
    if (truncation !== null) throw new ReadError(`${name}: ${truncation}`);
    arrays[name] = arrayOf(name, type, await readBytes(source, from, to));
  }
  return { arrays, facts };
}
