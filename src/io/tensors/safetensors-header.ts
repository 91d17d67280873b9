import { amount } from '../read-checks.ts';
import { checkBound } from '../../core/bounds/check.ts';
import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import { counted } from '../../core/text/words.ts';
import { ELEMENT_BYTES, type ElementType } from '../elements.ts';
import { rejectUnsupported } from '../unsupported-kinds.ts';
import { type RandomAccessSource, readBytes, readHead } from '../source.ts';
import { jsonEntries, parseJson } from './json-entries.ts';

/** A tensor of a safetensors file: bytes [from, to) of the file, which may end earlier. */
export interface StoredTensor {
  readonly name: string;
  /** as in the file: 'BF16' */
  readonly dtype: string;
  /** null for types that are not supported */
  readonly type: ElementType | null;
  readonly shape: readonly number[];
  readonly from: number;
  readonly to: number;
  /** 'found 8 of 16 bytes: the file ends 8 bytes early'; null if the file has all bytes of the tensor */
  readonly truncation: string | null;
}

/** 500 bytes for each of `MAX_TENSORS`. */
const MAX_HEADER_BYTES = 25_000_000;

/** Several times the tensors of the largest models, which are split into many files. Sorting more would last seconds. */
const MAX_TENSORS = 50_000;

/** Tensors between two checks of the clock. */
const TENSORS_AT_ONCE = 256;

const TYPES: ReadonlyMap<string, ElementType> = new Map(
  Object.keys(ELEMENT_BYTES).map((type) => [type.toUpperCase(), type as ElementType]),
);

/** Whether a file begins like safetensors: a length below 2^32 in 8 bytes, then a JSON object. */
export function isSafetensors(head: Uint8Array): boolean {
  return head.length > 9 && head[4] === 0 && head[5] === 0 && head[6] === 0 && head[7] === 0 && head[8] === 0x7b;
}

/**
 * The tensors of a file, checked before anything of their size is allocated: no two overlap, and each is as long as its
 * shape and type require. The file may end early (`truncation`). Yields the thread. Throws ReadError with found and
 * expected, and CancelledError.
 */
export async function readSafetensorsHeader(source: RandomAccessSource, job: Job): Promise<readonly StoredTensor[]> {
  const start = await readBytes(source, 0, 8);
  const declared = new DataView(start.buffer, start.byteOffset, 8).getBigUint64(0, true);
  const length = Number(declared);
  const max = Math.min(MAX_HEADER_BYTES, source.size - 8);
  if (length > max) {
    // Such a length is nonsense: perhaps the file is of another kind, or it ends early.
    const head = await readHead(source, 512);
    if (!isSafetensors(head)) rejectUnsupported(head, source.name);
    const early = length - max;
    if (isSafetensors(head) && length <= MAX_HEADER_BYTES)
      throw new ReadError(
        `header: found ${max} of ${amount(length, 'byte')}: the file ends ${counted(early, 'byte')} early`,
      );
    throw new ReadError(`byte 0: found a header of ${amount(declared, 'byte')}, expected at most ${max}`);
  }
  const text = new TextDecoder().decode(await readBytes(source, 8, 8 + length));
  if (/^\s*\[/.test(text)) throw noObject('a list');
  const tensors: StoredTensor[] = [];
  const pacer = new Pacer();
  let done = 0;
  for (const [name, value, size] of entriesOf(text)) {
    done += size;
    if (name !== '__metadata__') tensors.push(parseTensor(name, value, 8 + length));
    checkBound('header', tensors.length, MAX_TENSORS, 'tensors', ReadError);
    if (tensors.length % TENSORS_AT_ONCE > 0) continue;
    throwIfCancelled(job);
    job.report({ what: 'Reading the header', done, total: text.length });
    await pacer.pauseIfDue();
  }
  rejectOverlaps(tensors);
  const early = missingBytes(tensors, source.size);
  return early <= 0 ? tensors : tensors.map((t) => ({ ...t, truncation: truncationText(t, source.size, early) }));
}

/** Bytes by which a file ends before its last tensor does; 0 or less if it is whole. */
export function missingBytes(tensors: readonly StoredTensor[], size: number): number {
  return tensors.reduce((end, { to }) => Math.max(end, to), 0) - size;
}

function truncationText({ from, to }: StoredTensor, size: number, early: number): string | null {
  if (to <= size) return null;
  return `found ${Math.max(0, size - from)} of ${amount(to - from, 'byte')}: the file ends ${counted(early, 'byte')} early`;
}

function parseTensor(name: string, value: unknown, dataStart: number): StoredTensor {
  const fields = new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const dtype: unknown = fields.get('dtype');
  const shape: unknown = fields.get('shape');
  const offsets: unknown = fields.get('data_offsets');
  const wrong = (field: string, found: unknown, expected: string): ReadError =>
    new ReadError(`${name}: found ${field} ${JSON.stringify(found)?.slice(0, 60) ?? 'missing'}, expected ${expected}`);
  if (typeof dtype !== 'string') throw wrong('dtype', dtype, 'the name of a type');
  if (!isCounts(shape)) throw wrong('shape', shape, 'a list of whole numbers');
  if (!isCounts(offsets) || offsets.length !== 2 || offsets[0] > offsets[1]) {
    throw wrong('data_offsets', offsets, 'begin and end');
  }
  const [from, to] = offsets;
  const type = TYPES.get(dtype) ?? null;
  if (type !== null) {
    const bytes = shape.reduce((product, n) => product * n, ELEMENT_BYTES[type]);
    if (bytes !== to - from) {
      throw new ReadError(
        `${name}: found ${amount(to - from, 'byte')} for shape (${shape.join(', ')}) of ${dtype}, expected ${bytes}`,
      );
    }
  }
  return { name, dtype, type, shape, from: dataStart + from, to: dataStart + to, truncation: null };
}

function isCounts(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) && value.every((n: unknown) => typeof n === 'number' && Number.isSafeInteger(n) && n >= 0)
  );
}

function rejectOverlaps(tensors: readonly StoredTensor[]): void {
  const sorted = tensors.filter((t) => t.to > t.from).toSorted((a, b) => a.from - b.from);
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i].from >= sorted[i - 1].to) continue;
    throw new ReadError(`${sorted[i].name}: found its bytes inside the bytes of ${sorted[i - 1].name}`);
  }
}

/** The entries of a header, whose values are JSON. Throws ReadError. */
function* entriesOf(text: string): Generator<readonly [name: string, value: unknown, size: number], void, void> {
  try {
    for (const [name, value] of jsonEntries(text)) yield [name, parseJson(value), value.length];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw noObject('no JSON');
  }
}

function noObject(found: string): ReadError {
  return new ReadError(`byte 8: found ${found}, expected an object of tensors`);
}
