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

/** A note on values of a matrix that are stored as infinity or as 0. */
export interface ValueNote {
  /** '2 of 64 values are too large for f16 and are stored as infinity' */
  readonly says: string;
  /** 'the largest is 1000000, at row 3, column 5; choose f32 to keep them' */
  readonly details: string;
  /** what the values are stored as; absent in notes of other kinds */
  readonly storedAs?: string;
}

/** A note as a text of one sentence. */
export const noteText = ({ says, details }: ValueNote): string => `${says}; ${details}.`;

/** Whether a format can store a matrix, or a kernel can run it. `notes`: values that become infinite or 0. */
export type Support =
  | { readonly ok: true; readonly notes: readonly ValueNote[] }
  | {
      readonly ok: false;
      readonly reason: string;
      readonly remedy: string | null;
      /** pruning that helps: only the `kept` largest of every `group` columns remain */
      readonly prune?: { readonly kept: number; readonly group: number };
      /** other parameters, or another format, that the remedy names */
      readonly choices?: readonly RemedyChoice[];
    };

/** A choice that a remedy names. */
export interface RemedyChoice {
  /** as in the text: 'compression 4' */
  readonly title: string;
  /** id of another format, with its default parameters; default: the format itself */
  readonly format?: string;
  /** the parameters to change */
  readonly params?: Readonly<Record<string, string | number>>;
}

export const SUPPORTED: Support = { ok: true, notes: [] };

/** Magnitudes at which a 16-bit float overflows and underflows, as bits of |f32|. */
const BORDERS = {
  // 65520 rounds to infinity; 2^-25 rounds to 0 (a tie, to even)
  f16: { overflow: 0x477ff000, underflow: 0x33000000 },
  // half a step above the largest; 2^-134, a tie as well
  bf16: { overflow: 0x7f7f8000, underflow: 0x00008000 },
} as const;
const INFINITY_BITS = 0x7f800000;

/**
 * Whether the values of a matrix are representable in a value type. Rejects NaN and infinities for i8 and i4, and for
 * i4 also values too large for its scales. Notes how many values become infinite or 0, and the largest of them.
 * `slotOf`: for i4, the index at which a cell is stored; 32 neighbours share a scale. Default: columns of a row.
 * `hasF32`: whether the format can store f32 instead. O(rows * cols).
 */
export function checkValues(
  m: Matrix,
  valueType: AnyValueType,
  hasF32 = true,
  slotOf: SlotOf = (row, column) => row * Math.ceil(m.cols / Q4_GROUP) * Q4_GROUP + column,
): Support {
  if (valueType === 'f32') return SUPPORTED;
  const buffer = rowBuffer(m.cols);
  const bits = new Uint32Array(buffer.values.buffer);
  const overflow = new LostValues();
  const underflow = new LostValues();
  const q4 = q4Zeros(underflow);
  const borders = BORDERS[valueType === 'bf16' ? 'bf16' : 'f16'];
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    const rejected = rejectedInRow(buffer, n, r, valueType);
    if (rejected) return rejected;
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
  const remedy = `choose ${hasF32 ? '' : 'a format with '}f32`;
  // The values that share a scale.
  const scaleUnit = valueType === 'i8' ? 'row' : valueType === 'i4' ? 'group' : null;
  const notes = [
    overflow.note(m.nnz, () => `too large for ${valueType}`, 'infinity', remedy),
    underflow.note(
      m.nnz,
      (their) =>
        `too small for ${valueType}${scaleUnit === null ? '' : ` compared with the largest of ${their} ${scaleUnit}`}`,
      '0',
      remedy,
    ),
  ];
  return { ok: true, notes: notes.filter((note) => note !== null) };
}

const CHOOSE_FLOATS = 'Choose values in floating point.';

/** The refusal of a NaN or an infinity, which scaled integers cannot represent. */
export function rejectNonFinite(
  row: number,
  col: number,
  value: number,
  valueType: 'i8' | 'i4' = 'i8',
): Support & { ok: false } {
  return {
    ok: false,
    reason: `values: found ${value} at row ${row}, column ${col}, expected finite values for ${valueType}`,
    remedy: CHOOSE_FLOATS,
  };
}

/**
 * Throws FormatError, with the reason that `checkValues` returns, for the first of n entries of a row that is not
 * representable in i8 or i4.
 */
export function requireRepresentable(buffer: RowBuffer, n: number, row: number, valueType: AnyValueType): void {
  const rejected = rejectedInRow(buffer, n, row, valueType);
  if (rejected) throw new FormatError(rejected.reason);
}

/** The refusal of the first of n entries of a row that is not representable in i8 or i4; null if all are. */
function rejectedInRow(
  { columns, values }: RowBuffer,
  n: number,
  row: number,
  valueType: AnyValueType,
): (Support & { ok: false }) | null {
  if (valueType !== 'i8' && valueType !== 'i4') return null;
  const nonFinite = firstNonFinite(new Uint32Array(values.buffer), n);
  if (nonFinite >= 0) return rejectNonFinite(row, columns[nonFinite], values[nonFinite], valueType);
  if (valueType === 'i8') return null;
  // The first value that would need a scale beyond f16.
  let firstTooLarge = 0;
  while (firstTooLarge < n && Math.abs(values[firstTooLarge]) < Q4_BORDER) firstTooLarge++;
  if (firstTooLarge === n) return null;
  const reason = `values: found ${shortestF32(values[firstTooLarge])} at row ${row}, column ${columns[firstTooLarge]}, expected magnitudes below ${Q4_BORDER} for i4`;
  return { ok: false, reason, remedy: CHOOSE_FLOATS };
}

/** Index of the first NaN or infinity among the first n f32 values, given as bits; -1 when there is none. */
export function firstNonFinite(bits: Uint32Array, n: number): number {
  for (let i = 0; i < n; i++) if ((bits[i] & INFINITY_BITS) === INFINITY_BITS) return i;
  return -1;
}

/**
 * Adds the values that i4 stores as 0, group by group, to `zeros`. `add` expects the values of a group in sequence, and
 * `end` ends the last group.
 */
function q4Zeros(zeros: LostValues) {
  const cells = new Float32Array(Q4_GROUP);
  const quantised = new Uint8Array(Q4_GROUP_BYTES);
  const rows = new Uint32Array(Q4_GROUP);
  const columns = new Uint32Array(Q4_GROUP);
  const positions = new Uint8Array(Q4_GROUP);
  let count = 0;
  let groupStart = 0;
  const end = (nextGroupStart = 0): void => {
    const isZero = f16Table()[quantiseQ4(cells, quantised, 0)] === 0;
    for (let i = 0; i < count; i++) {
      const position = positions[i];
      if (isZero || q4At(quantised, 0, position) === Q4_ZERO) zeros.add(rows[i], columns[i], cells[position]);
    }
    count = 0;
    cells.fill(0);
    groupStart = nextGroupStart;
  };
  const add = (row: number, column: number, value: number, slot: number): void => {
    const position = slot % Q4_GROUP;
    if (slot - position !== groupStart) end(slot - position);
    cells[position] = value;
    rows[count] = row;
    columns[count] = column;
    positions[count++] = position;
  };
  return { add, end };
}

/** Counts values, and records the largest of them with its position. */
class LostValues {
  #count = 0;
  #largest = { row: 0, col: 0, value: 0 };

  add(row: number, col: number, value: number): void {
    if (this.#count++ === 0 || Math.abs(value) > Math.abs(this.#largest.value)) this.#largest = { row, col, value };
  }

  /** The note on the counted values, of `total` in all; null without any. `problem` is called with 'its' or 'their'. */
  note(total: number, problem: (their: string) => string, storedAs: string, remedy: string): ValueNote | null {
    const count = this.#count;
    if (count === 0) return null;
    const { row, col, value } = this.#largest;
    const [are, their, them, largest] =
      count === 1 ? ['is', 'its', 'it', 'it is'] : ['are', 'their', 'them', 'the largest is'];
    return {
      says: `${count} of ${total} ${total === 1 ? 'value' : 'values'} ${are} ${problem(their)} and ${are} stored as ${storedAs}`,
      details: `${largest} ${shortestF32(value)}, at row ${row}, column ${col}; ${remedy} to keep ${them}`,
      storedAs,
    };
  }
}
