import { admitValues, firstNonFinite, refuseNonFinite } from '../../core/admission.ts';
import { allocate, lengthProblem } from '../../core/allocate.ts';
import { checksum } from '../../core/checksum.ts';
import { FormatError } from '../../core/errors.ts';
import type { Admission } from '../../core/format.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { f16FromF32Bits, i8Of, i8Scale } from '../../core/number/index.ts';
import { type SlideSparseEncoded, WINDOWS_PER_WORD, windowsPerRowOf } from './layout.ts';
import { KEPT, patternName, type SlideSparseParams, STRIDE, windowsPerGroup } from './params.ts';
import { assignWindows } from './slide.ts';

/** Metadata of a window without non-zeros: slots 0 and 1. */
const EMPTY_NIBBLE = 0b0100;
const EMPTY_WORD = 0x44444444;

/** Admits matrices whose every group holds at most 2N - 2 non-zeros. O(rows * cols) at worst. */
export function admits(m: Matrix, p: SlideSparseParams): Admission {
  const reason = lengthProblem('values', m.rows * windowsPerRowOf(m.cols, p) * KEPT, 2);
  if (reason) return { ok: false, reason, remedy: 'Choose a part of the matrix.' };
  const full = firstFullGroup(m, p);
  if (full) {
    return { ok: false, reason: fullGroupText(full.row, full, p), remedy: `Prune to ${patternName(p.halfGroup)}.` };
  }
  return admitValues(m, p.valueType);
}

interface FullGroup {
  /** first column of the group */
  readonly start: number;
  /** its non-zeros */
  readonly count: number;
}

/** The first group with more non-zeros than the pattern allows, null when there is none. O(rows * cols) at worst. */
export function firstFullGroup(m: Matrix, p: SlideSparseParams): (FullGroup & { readonly row: number }) | null {
  const buffer = rowBuffer(m.cols);
  for (let row = 0; row < m.rows; row++) {
    const full = fullGroup(buffer.columns, m.readRow(row, buffer), p);
    if (full) return { row, ...full };
  }
  return null;
}

function fullGroup(columns: Uint32Array, n: number, { halfGroup }: SlideSparseParams): FullGroup | null {
  const group = 2 * halfGroup;
  const allowed = group - 2;
  for (let i = 0; i + allowed < n; i++) {
    // Ascending columns: the allowed-th entry after i is in the same group only if the group is too full.
    const start = Math.floor(columns[i] / group) * group;
    if (columns[i + allowed] >= start + group) continue;
    let count = allowed + 1;
    while (i + count < n && columns[i + count] < start + group) count++;
    return { start, count };
  }
  return null;
}

function fullGroupText(row: number, { start, count }: FullGroup, { halfGroup }: SlideSparseParams): string {
  const group = 2 * halfGroup;
  return `row ${row}, columns ${start} to ${start + group - 1}: found ${count} non-zeros, expected at most ${group - 2} for ${patternName(halfGroup)}`;
}

/**
 * Slides and compresses in one pass, O(rows * cols) at worst; memory: the result and one row. Throws FormatError with
 * row, columns and count where a group is too full, or for NaN and infinities in i8.
 */
export function* encodeSteps(m: Matrix, p: SlideSparseParams): Steps<SlideSparseEncoded> {
  const { rows, cols, nnz } = m;
  const windowsPerRow = windowsPerRowOf(cols, p);
  const wordsPerRow = windowsPerRow / WINDOWS_PER_WORD;
  const length = rows * windowsPerRow * KEPT;
  const values =
    p.valueType === 'f16' ? allocate('values', Uint16Array, length) : allocate('values', Int8Array, length);
  const metadata = allocate('metadata', Uint32Array, rows * wordsPerRow);
  const scales = new Float32Array(p.valueType === 'i8' ? rows : 0);
  const buffer = rowBuffer(cols);
  const bits = new Uint32Array(buffer.values.buffer);
  const pause = rowsPerYield(cols);
  // step: empty
  metadata.fill(EMPTY_WORD);
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    const full = fullGroup(buffer.columns, n, p);
    if (full) throw new FormatError(fullGroupText(r, full, p));
    let store: (at: number, entry: number) => void;
    if (values instanceof Uint16Array) {
      store = (at, entry) => (values[at] = f16FromF32Bits(bits[entry]));
    } else {
      const bad = firstNonFinite(bits, n);
      if (bad >= 0) {
        // The sentence of `admits`, which looks for full groups in all rows first.
        const later = firstFullGroup(m, p);
        if (later) throw new FormatError(fullGroupText(later.row, later, p));
        throw new FormatError(refuseNonFinite(r, buffer.columns[bad], buffer.values[bad]).reason);
      }
      // step: scale
      const scale = i8Scale(buffer.values, n);
      scales[r] = scale;
      store = (at, entry) => (values[at] = i8Of(buffer.values[entry], scale));
    }
    slideRow(buffer.columns, n, p, r * windowsPerRow, metadata, store);
    if (r % pause === 0) yield { what: 'sliding rows', done: r, total: rows };
  }
  return { rows, cols, nnz, ...p, windowsPerRow, values, metadata, scales, checksum: checksum(metadata) };
}

const groupColumns = new Uint8Array(16);
const windowOf = new Int8Array(16);

function slideRow(
  columns: Uint32Array,
  n: number,
  p: SlideSparseParams,
  firstWindow: number,
  metadata: Uint32Array,
  store: (at: number, entry: number) => void,
): void {
  const group = 2 * p.halfGroup;
  const perGroup = windowsPerGroup(p);
  for (let start = 0; start < n;) {
    const g = Math.floor(columns[start] / group);
    let count = 0;
    for (; start + count < n && columns[start + count] < (g + 1) * group; count++) {
      groupColumns[count] = columns[start + count] - g * group;
    }
    // step: slide
    assignWindows(groupColumns, count, p.halfGroup, windowOf);
    for (let i = 0; i < count; i++) {
      const w = windowOf[i];
      const slot = groupColumns[i] - w * STRIDE;
      const second = i + 1 < count && windowOf[i + 1] === w;
      const window = firstWindow + g * perGroup + w;
      if (second) {
        // step: compress
        setNibble(metadata, window, slot | ((groupColumns[i + 1] - w * STRIDE) << 2));
        store(window * KEPT, start + i);
        store(window * KEPT + 1, start + i + 1);
        i++;
      } else if (slot === 0) {
        store(window * KEPT, start + i);
      } else {
        // step: single
        setNibble(metadata, window, slot << 2);
        store(window * KEPT + 1, start + i);
      }
    }
    start += count;
  }
}

function setNibble(metadata: Uint32Array, window: number, nibble: number): void {
  const shift = 4 * (window % WINDOWS_PER_WORD);
  // step: metadata
  metadata[Math.floor(window / WINDOWS_PER_WORD)] ^= (EMPTY_NIBBLE ^ nibble) << shift;
}
