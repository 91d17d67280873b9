import { type Matrix, type RowBuffer, rowBuffer } from '../matrix/index.ts';
import {
  type AnyValueType,
  f16Table,
  i8Of,
  i8Scale,
  Q4_BORDER,
  Q4_GROUP,
  Q4_GROUP_BYTES,
  Q4_ZERO,
  q4At,
  quantiseQ4,
  shortestF32,
} from '../number/index.ts';

/** Whether a matrix can be held. `notes` are caveats for a person (values that round to infinity ...). */
export type Admission =
  | { readonly ok: true; readonly notes: readonly string[] }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly remedy: string | null;
      /** the remedy is to keep the `kept` largest of every `group` columns: a page can offer it */
      readonly prune?: { readonly kept: number; readonly group: number };
    };

export const ADMITTED: Admission = { ok: true, notes: [] };

/** The limits of a 16-bit float, as bits of |f32|. */
const BORDERS = {
  // 65520 rounds to infinity; 2^-25 rounds to 0 (a tie, to even)
  f16: { overflow: 0x477ff000, underflow: 0x33000000, largest: '65504' },
  // half a step above the largest; 2^-134, a tie as well
  bf16: { overflow: 0x7f7f8000, underflow: 0x00008000, largest: '3.39e38' },
} as const;
const INFINITY_BITS = 0x7f800000;

/**
 * The effect of a value type on the values of a matrix: refuses NaN and infinities for i8 and i4, for i4 also values
 * beyond its scales, and notes how many values become infinite or 0 and where the first of them is. f32 changes
 * nothing. O(rows * cols) at worst.
 */
export function admitValues(m: Matrix, valueType: AnyValueType): Admission {
  if (valueType === 'f32') return ADMITTED;
  const buffer = rowBuffer(m.cols);
  const bits = new Uint32Array(buffer.values.buffer);
  const overflow = new Occurrences();
  const underflow = new Occurrences();
  const group = new Float32Array(Q4_GROUP);
  const borders = BORDERS[valueType === 'bf16' ? 'bf16' : 'f16'];
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    if (valueType === 'i8' || valueType === 'i4') {
      const bad = firstNonFinite(bits, n);
      if (bad >= 0) return refuseNonFinite(r, buffer.columns[bad], buffer.values[bad], valueType);
    }
    if (valueType === 'i4') {
      const bad = firstBeyondQ4(buffer.values, n);
      if (bad >= 0) return refuseBeyondQ4(r, buffer.columns[bad], buffer.values[bad]);
      noteZerosOfQ4(buffer, n, r, group, underflow);
      continue;
    }
    if (valueType === 'i8') {
      const scale = i8Scale(buffer.values, n);
      for (let i = 0; i < n; i++) {
        if (i8Of(buffer.values[i], scale) === 0) underflow.add(r, buffer.columns[i], buffer.values[i]);
      }
      continue;
    }
    for (let i = 0; i < n; i++) {
      const magnitude = bits[i] & 0x7fffffff;
      if (magnitude <= borders.underflow) underflow.add(r, buffer.columns[i], buffer.values[i]);
      else if (magnitude >= borders.overflow && magnitude < INFINITY_BITS) {
        overflow.add(r, buffer.columns[i], buffer.values[i]);
      }
    }
  }
  const notes = [
    overflow.note(`beyond ${borders.largest}, the largest ${valueType}, and stored as infinite`),
    underflow.note(`too small for ${valueType} and stored as 0`),
  ];
  return { ok: true, notes: notes.filter((note) => note !== null) };
}

/** The refusal of a NaN or an infinity that scaled integers cannot hold. */
export function refuseNonFinite(
  row: number,
  col: number,
  value: number,
  valueType: 'i8' | 'i4' = 'i8',
): Admission & { ok: false } {
  return {
    ok: false,
    reason: `values: found ${value} at row ${row}, column ${col}, expected finite values for ${valueType}`,
    remedy: 'Choose values in floating point.',
  };
}

/** The refusal of a value that would need a scale beyond f16. */
export function refuseBeyondQ4(row: number, col: number, value: number): Admission & { ok: false } {
  return {
    ok: false,
    reason: `values: found ${shortestF32(value)} at row ${row}, column ${col}, expected magnitudes below ${Q4_BORDER} for i4`,
    remedy: 'Choose values in floating point.',
  };
}

/** Index of the first value whose scale f16 cannot hold; -1 when there is none. */
export function firstBeyondQ4(values: Float32Array, n: number): number {
  for (let i = 0; i < n; i++) if (Math.abs(values[i]) >= Q4_BORDER) return i;
  return -1;
}

/** Notes which of the first n entries of a row become 0 in groups of 4 bits. `group` is scratch. */
function noteZerosOfQ4(
  { columns, values }: RowBuffer,
  n: number,
  row: number,
  group: Float32Array,
  zeros: Occurrences,
): void {
  const quantised = new Uint8Array(Q4_GROUP_BYTES);
  const table = f16Table();
  for (let i = 0; i < n;) {
    const first = columns[i] - (columns[i] % Q4_GROUP);
    const begin = i;
    group.fill(0);
    for (; i < n && columns[i] < first + Q4_GROUP; i++) group[columns[i] - first] = values[i];
    const scale = table[quantiseQ4(group, quantised, 0)];
    for (let k = begin; k < i; k++) {
      const q = q4At(quantised, 0, columns[k] - first);
      if (q === Q4_ZERO || scale === 0) zeros.add(row, columns[k], values[k]);
    }
  }
}

/** Index of the first NaN or infinity among the first n f32 values, given as bits; -1 when there is none. */
export function firstNonFinite(bits: Uint32Array, n: number): number {
  for (let i = 0; i < n; i++) if ((bits[i] & INFINITY_BITS) === INFINITY_BITS) return i;
  return -1;
}

/** Counts, and keeps the first. */
class Occurrences {
  #count = 0;
  #first = '';

  add(row: number, col: number, value: number): void {
    if (this.#count++ === 0) this.#first = `row ${row}, column ${col} (${shortestF32(value)})`;
  }

  note(what: string): string | null {
    if (this.#count === 0) return null;
    return `${this.#count} ${this.#count === 1 ? 'value is' : 'values are'} ${what}; the first is at ${this.#first}.`;
  }
}
