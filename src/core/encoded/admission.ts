import { FormatError } from '../errors.ts';
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
  type SlotOf,
} from '../number/index.ts';

/** Whether a format can hold a matrix, or a kernel can run it. `notes`: caveats (values that become infinite ...). */
export type Admission =
  | { readonly ok: true; readonly notes: readonly string[] }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly remedy: string | null;
      /** pruning that helps: only the `kept` largest of every `group` columns remain */
      readonly prune?: { readonly kept: number; readonly group: number };
    };

export const ADMITTED: Admission = { ok: true, notes: [] };

/** Magnitudes at which a 16-bit float overflows and underflows, as bits of |f32|. */
const BORDERS = {
  // 65520 rounds to infinity; 2^-25 rounds to 0 (a tie, to even)
  f16: { overflow: 0x477ff000, underflow: 0x33000000, largest: '65504' },
  // half a step above the largest; 2^-134, a tie as well
  bf16: { overflow: 0x7f7f8000, underflow: 0x00008000, largest: '3.39e38' },
} as const;
const INFINITY_BITS = 0x7f800000;

/**
 * Whether a value type can hold the values of a matrix: refuses NaN and infinities for i8 and i4, for i4 also values
 * too large for its scales, and notes how many values become infinite or 0 and where the first of them is. `slotOf`:
 * for i4, at which index a cell is stored; 32 neighbours share a scale. Default: columns of a row. O(rows * cols).
 */
export function admitValues(
  m: Matrix,
  valueType: AnyValueType,
  slotOf: SlotOf = (row, column) => row * Math.ceil(m.cols / Q4_GROUP) * Q4_GROUP + column,
): Admission {
  if (valueType === 'f32') return ADMITTED;
  const buffer = rowBuffer(m.cols);
  const bits = new Uint32Array(buffer.values.buffer);
  const overflow = new Occurrences();
  const underflow = new Occurrences();
  const q4 = q4Zeros(underflow);
  const borders = BORDERS[valueType === 'bf16' ? 'bf16' : 'f16'];
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    const refused = refusedInRow(buffer, n, r, valueType);
    if (refused) return refused;
    if (valueType === 'i4') {
      for (let i = 0; i < n; i++) q4.add(r, buffer.columns[i], buffer.values[i], slotOf(r, buffer.columns[i]));
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
  q4.end();
  const notes = [
    overflow.note(`beyond ${borders.largest}, the largest ${valueType}, and stored as infinite`),
    underflow.note(`too small for ${valueType} and stored as 0`),
  ];
  return { ok: true, notes: notes.filter((note) => note !== null) };
}

const CHOOSE_FLOATS = 'Choose values in floating point.';

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
    remedy: CHOOSE_FLOATS,
  };
}

/**
 * Throws FormatError, with the reason that `admitValues` gives, for the first of n entries of a row that i8 or i4 cannot
 * hold.
 */
export function requireHeld(buffer: RowBuffer, n: number, row: number, valueType: AnyValueType): void {
  const refused = refusedInRow(buffer, n, row, valueType);
  if (refused) throw new FormatError(refused.reason);
}

/** The refusal of the first of n entries of a row that i8 or i4 cannot hold; null if all fit. */
function refusedInRow(
  { columns, values }: RowBuffer,
  n: number,
  row: number,
  valueType: AnyValueType,
): (Admission & { ok: false }) | null {
  if (valueType !== 'i8' && valueType !== 'i4') return null;
  const bad = firstNonFinite(new Uint32Array(values.buffer), n);
  if (bad >= 0) return refuseNonFinite(row, columns[bad], values[bad], valueType);
  if (valueType === 'i8') return null;
  // Values that would need a scale beyond f16.
  let large = 0;
  while (large < n && Math.abs(values[large]) < Q4_BORDER) large++;
  if (large === n) return null;
  const reason = `values: found ${shortestF32(values[large])} at row ${row}, column ${columns[large]}, expected magnitudes below ${Q4_BORDER} for i4`;
  return { ok: false, reason, remedy: CHOOSE_FLOATS };
}

/** Index of the first NaN or infinity among the first n f32 values, given as bits; -1 when there is none. */
export function firstNonFinite(bits: Uint32Array, n: number): number {
  for (let i = 0; i < n; i++) if ((bits[i] & INFINITY_BITS) === INFINITY_BITS) return i;
  return -1;
}

/** Adds the values that i4 stores as 0, group by group, to `zeros`; call `end` after the last. */
function q4Zeros(zeros: Occurrences) {
  const cells = new Float32Array(Q4_GROUP);
  const quantised = new Uint8Array(Q4_GROUP_BYTES);
  const rows = new Uint32Array(Q4_GROUP);
  const columns = new Uint32Array(Q4_GROUP);
  const places = new Uint8Array(Q4_GROUP);
  let count = 0;
  let first = 0;
  const end = (next = 0): void => {
    const isZero = f16Table()[quantiseQ4(cells, quantised, 0)] === 0;
    for (let i = 0; i < count; i++) {
      const place = places[i];
      if (isZero || q4At(quantised, 0, place) === Q4_ZERO) zeros.add(rows[i], columns[i], cells[place]);
    }
    count = 0;
    cells.fill(0);
    first = next;
  };
  const add = (row: number, column: number, value: number, slot: number): void => {
    const place = slot % Q4_GROUP;
    if (slot - place !== first) end(slot - place);
    cells[place] = value;
    rows[count] = row;
    columns[count] = column;
    places[count++] = place;
  };
  return { add, end };
}

/** Counts values, and keeps the place of the first. */
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
