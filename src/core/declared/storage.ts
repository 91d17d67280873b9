import type { Size } from '../comparison/comparison.ts';
import { type EncodedMatrix, namedArrays } from '../encoded/encoded.ts';
import { bitsOf as bitsByClass, ledger, type StorageLedger } from '../encoded/ledger.ts';
import { VALUE_BITS } from '../number/index.ts';
import { listText } from '../text/words.ts';
import { declaredLength, valueTypeOf } from './card.ts';
import { lastCounted } from '../comparison/counts.ts';
import type { Counts } from './declaration.ts';
import { fieldsOf } from './word-fields.ts';
import {
  type AnyDeclaration,
  type TypedDeclaration,
  arraysOf,
  isUsed,
  elementCount,
  isPacked,
  memoryBytes,
  paddingCauses,
  paddingCount,
} from './declared-arrays.ts';
import { columnRejection } from './supports.ts';

// Derives the stored bytes of an encoding, and the bytes before encoding, from a declaration.

/** The bytes of an encoding by array and by purpose. O(arrays). */
export function storage(d: AnyDeclaration, e: EncodedMatrix): StorageLedger {
  const arrays = arraysOf(d, e, e);
  const memory = namedArrays(e);
  const listed = d.listed?.flatMap((name) => arrays.filter((array) => array.name === name)) ?? arrays;
  return ledger(
    listed.filter(isUsed).map((array) => {
      const { name, element, role, inWords, dtype } = array;
      const { length = 0, byteLength: bytes = 0 } = memory.get(name) ?? {};
      const elements = elementCount(array, e);
      const causes = paddingCauses(array, e);
      const padding = paddingCount(causes);
      /** unused bits of the last word or byte */
      const tailBits = bytes * 8 - elements * element.bits;
      const notes = causes.flatMap(({ count, names }) => (count > 0 ? names : []));
      if (tailBits > 0) notes.push('the tail');
      const fields = fieldsOf(array);
      const fieldTypes = `${fields.map(({ type }) => type.name).join(' | ')} in u32`;
      const elementTypeText = isPacked(array) ? `${element.bits}-bit in ${inWords ? 'u32' : 'u8'}` : element.name;
      return {
        array: name,
        dtype: dtype ?? (fields.length > 0 ? fieldTypes : elementTypeText),
        length,
        bytes,
        bits:
          fields.length > 0
            ? wordBits(array, elements, padding)
            : bitsByClass(role, bytes * 8, padding * element.bits + tailBits),
        ...(notes.length > 0 && { note: listText(notes) }),
      };
    }),
    e.rows * e.cols * VALUE_BITS[valueTypeOf(arrays)],
  );
}

/**
 * The bits of an array of words by purpose. Heads are words with a single number; the other words are divided into fields or
 * are padding.
 */
function wordBits(array: TypedDeclaration, words: number, padding: number): StorageLedger['totalBits'] {
  const { heads } = array;
  const headCount = heads ? Math.ceil(words / heads.every) : 0;
  const bits = bitsByClass(heads?.role ?? 'metadata', 32 * headCount);
  for (const { role, type } of fieldsOf(array)) bits[role] += (words - headCount - padding) * type.bits;
  bits.padding += 32 * padding;
  return bits;
}

/**
 * The bytes of a matrix that is not encoded yet, from its counts: 'open' (unknown) if the length of an array does not follow
 * from them, 'refused' if column numbers do not fit their type.
 */
export function bytesFromCounts(d: AnyDeclaration, matrixCounts: Counts, p: object): Size {
  const counts = matrixCounts.rowCounts
    ? { ...matrixCounts, longest: lastCounted(matrixCounts.rowCounts) }
    : matrixCounts;
  const arrays = arraysOf(d, p, counts);
  if (columnRejection(arrays, counts.cols)) return 'refused';
  let bytes = 0;
  for (const array of arrays) {
    const length = declaredLength(array, counts);
    if (length === null) return 'open';
    bytes += memoryBytes(array, length);
  }
  return bytes;
}
