// Random edits of the bytes of a file, for the fuzz target of readers, and simpler edits for shrinking.

import type { Random } from '../../src/core/number/random.ts';
import { pick } from '../pieces.ts';
import { bytesOf, randomFile } from './corpus.ts';

/**
 * Replaces `remove` bytes at offset `at` by `insert`. Edits are sequential: an offset refers to the result of the edit before.
 */
export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly insert: Uint8Array;
}

/** Returns a copy of the bytes with edits applied in order. */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  let out = bytes;
  for (const { at: offset, remove, insert } of edits) {
    const from = Math.min(offset, out.length);
    const to = Math.min(out.length, from + remove);
    const next = new Uint8Array(out.length - (to - from) + insert.length);
    next.set(out.subarray(0, from));
    next.set(insert, from);
    next.set(out.subarray(to), from + insert.length);
    out = next;
  }
  return out;
}

const bytesOfText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Words with a meaning in one of the file formats. */
const WORDS = [
  'True',
  'False',
  "'<f8'",
  "'>f4'",
  "'|b1'",
  "'<i8'",
  "'<u2'",
  "'<f2'",
  "'|O'",
  "'descr'",
  "'shape'",
  '(3, 7)',
  '(21,)',
  '()',
  '(-1, 5)',
  'coordinate',
  'array',
  'real',
  'integer',
  'pattern',
  'complex',
  'general',
  'symmetric',
  'skew-symmetric',
  'hermitian',
  '%',
  '%%MatrixMarket',
  '%MatrixMarket',
  '# a b\n',
  '1st',
  '2,980',
  '<html>',
  'version https://git-lfs.github.com/spec/v1\n',
  'csr',
  'csc',
  'coo',
  'bsr',
  'dia',
  'indptr.npy',
  'data.npy',
  'format.npy',
  'shape.npy',
  '\u0093NUMPY',
  'PK\u0003\u0004',
  'FloatStorage\n',
  'ctorch\nHalfStorage\n',
  'ctorch._utils\n_rebuild_tensor_v2\n',
  'torch.sparse_csc',
  'cos\nsystem\n',
  'nan',
  'inf',
  '-Infinity',
  '1e400',
  '-1e-400',
  '0x10',
  '1_000',
  '1,5',
  '1d3',
  '--1',
  '+',
  '.',
  'e',
  '1e',
  '99999999999999999999',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  ' ',
  '\t',
  ',',
  ';',
  '"',
  '""',
  "'",
  '\u0000',
  '\ufeff',
  ' 1 1 1',
  '0 0 1',
  '-1',
  '0',
  '1',
  '2',
  '9',
];

/** Numbers at the limits of integer types, and small ones. */
const BOUNDARY_NUMBERS = [0, 1, 2, 7, 8, 127, 128, 255, 256, 65535, 65536, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];

/** Replaces 1, 2, 4 or 8 bytes by a number, as in a header: a small or huge number, or one near the old number. */
function numberEdit(random: Random, bytes: Uint8Array, offset: number): Edit {
  const size = pick(random, [1, 2, 4, 8]);
  const view = new DataView(new ArrayBuffer(8));
  const isLittle = random.below(4) > 0;
  let value = BigInt(pick(random, BOUNDARY_NUMBERS));
  if (random.below(2) === 0) {
    let old = 0n;
    for (let i = Math.min(size, bytes.length - offset) - 1; i >= 0; i--) old = old * 256n + BigInt(bytes[offset + i]);
    value = BigInt.asUintN(64, old + BigInt(random.below(9) - 4));
  } else if (random.below(6) === 0) value = 2n ** 64n - BigInt(1 + random.below(3));
  view.setBigUint64(0, value, isLittle);
  const from = isLittle ? 0 : 8 - size;
  return { at: offset, remove: size, insert: new Uint8Array(view.buffer.slice(from, from + size)) };
}

/** A random offset, in half of the cases near the start or the end, where headers and directories are. */
function randomOffset(random: Random, length: number): number {
  const kind = random.below(4);
  if (kind === 0) return random.below(Math.min(length, 256) + 1);
  if (kind === 1) return Math.max(0, length - 1 - random.below(300));
  return random.below(length + 1);
}

/** One to four edits of these bytes. */
export function randomEdits(random: Random, bytes: Uint8Array): readonly Edit[] {
  const edits: Edit[] = [];
  let current = bytes;
  for (let changes = 1 + (random.below(2) === 0 ? 0 : random.below(4)); changes > 0; changes--) {
    const edit = randomEdit(random, current);
    edits.push(edit);
    current = applyEdits(current, [edit]);
  }
  return edits;
}

/** One edit: a flipped bit, another byte, a cut, a copy, a piece of another file, a number or a word. */
function randomEdit(random: Random, bytes: Uint8Array): Edit {
  const offset = randomOffset(random, bytes.length);
  switch (random.below(10)) {
    case 0:
    case 1:
      return { at: offset, remove: 1, insert: Uint8Array.of((bytes[offset] ?? 0) ^ (1 << random.below(8))) };
    case 2:
      return { at: offset, remove: 1, insert: Uint8Array.of(random.below(256)) };
    case 3:
      return { at: offset, remove: bytes.length, insert: new Uint8Array() };
    case 4:
      return { at: offset, remove: random.below(24), insert: new Uint8Array() };
    case 5:
      return { at: offset, remove: 0, insert: bytes.slice(offset, offset + random.below(80)) };
    case 6: {
      // A piece of another file.
      const source = bytesOf(randomFile(random).file);
      const from = randomOffset(random, source.length);
      return {
        at: offset,
        remove: random.below(2) * random.below(40),
        insert: source.slice(from, from + random.below(200)),
      };
    }
    case 7:
      return numberEdit(random, bytes, offset);
    case 8:
      return { at: offset, remove: 0, insert: bytesOfText(pick(random, WORDS)) };
    default:
      return wordEdit(random, bytes, offset);
  }
}

/** Replaces the first word or number at or after an offset by another. */
function wordEdit(random: Random, bytes: Uint8Array, offset: number): Edit {
  // Digits and letters of ASCII.
  const isWord = (byte: number | undefined): boolean =>
    byte !== undefined && ((byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122));
  let from = offset;
  while (from < bytes.length && !isWord(bytes[from])) from++;
  let to = from;
  while (to < bytes.length && to - from < 40 && isWord(bytes[to])) to++;
  return { at: from, remove: to - from, insert: bytesOfText(pick(random, WORDS)) };
}

/** Simpler lists of edits: without one of them, or with one that changes fewer bytes. */
export function* fewerEdits(edits: readonly Edit[]): Iterable<readonly Edit[]> {
  for (let i = 0; i < edits.length; i++) if (edits.length > 1) yield edits.filter((_, j) => j !== i);
  for (const [i, edit] of edits.entries()) {
    const withEdit = (simpler: Edit): readonly Edit[] => edits.map((original, j) => (j === i ? simpler : original));
    const middle = edit.insert.length >> 1;
    if (edit.insert.length > 1) {
      yield withEdit({ ...edit, insert: edit.insert.slice(0, middle) });
      yield withEdit({ ...edit, insert: edit.insert.slice(middle) });
    }
    if (edit.remove > 0 && edit.insert.length === 0) {
      yield withEdit({ ...edit, remove: edit.remove >> 1 });
      if (edit.remove < 1000) yield withEdit({ ...edit, remove: edit.remove - 1 });
    }
  }
}
