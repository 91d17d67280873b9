import { type EncodedMatrix, type NamedArray, namedArrays } from '../../core/format.ts';
import type { StorageLedger } from '../../core/encoded/ledger.ts';
import { ELEMENT_BYTES, type ElementType } from '../elements.ts';

/** A one-dimensional array to be written to a file under a name. */
export interface NamedTensor {
  readonly name: string;
  readonly type: ElementType;
  readonly data: NamedArray;
}

/** The arrays of an encoded matrix, in order. A Uint16Array gets the type f16 or bf16 if the ledger lists it so. */
export function encodedTensors(encoded: EncodedMatrix, ledger: StorageLedger): readonly NamedTensor[] {
  const typeOf = new Map(ledger.entries.map((entry) => [entry.array, entry.dtype]));
  return [...namedArrays(encoded)].map(([name, data]) => ({
    name,
    data,
    type: elementTypeOf(data, typeOf.get(name)),
  }));
}

/** The numbers, strings and booleans of an encoded matrix, as text. */
export function encodedFacts(encoded: EncodedMatrix): Readonly<Record<string, string>> {
  const facts = Object.entries(encoded).filter(([, value]) => ['number', 'string', 'boolean'].includes(typeof value));
  return Object.fromEntries(facts.map(([name, value]) => [name, String(value)]));
}

/** The bytes of a tensor. They are little-endian, as every machine is on which browsers run. */
export function tensorBytes({ data }: NamedTensor): Uint8Array<ArrayBuffer> {
  return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
}

/** The number of elements of a tensor. */
export function tensorLength({ data, type }: NamedTensor): number {
  return data.byteLength / ELEMENT_BYTES[type];
}

/** The element type of an array; `dtype`: its type in the ledger, which tells f16 and bf16 from u16. */
function elementTypeOf(data: NamedArray, dtype: string | undefined): ElementType {
  if (data instanceof Uint16Array && (dtype === 'f16' || dtype === 'bf16')) return dtype;
  if (data instanceof Float32Array) return 'f32';
  const isSigned = data instanceof Int8Array || data instanceof Int32Array;
  const bits = 8 * data.BYTES_PER_ELEMENT;
  if (bits === 8) return isSigned ? 'i8' : 'u8';
  if (bits === 16) return 'u16';
  return isSigned ? 'i32' : 'u32';
}
