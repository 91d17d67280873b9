import { admitValues, firstNonFinite, refuseNonFinite } from '../../core/admission.ts';
import { allocate, lengthProblem } from '../../core/allocate.ts';
import { checksum } from '../../core/checksum.ts';
import { FormatError } from '../../core/errors.ts';
import type { Admission } from '../../core/format.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { i8Of, i8Scale, storeFloats } from '../../core/number/index.ts';
import { type SlideSparseEncoded, WINDOWS_PER_WORD, windowsPerRowOf } from './layout.ts';
import { KEPT, patternName, type SlideSparseParams, STRIDE, WINDOW, windowsPerGroup } from './params.ts';

/** Metadata of a window without non-zeros: slots 0 and 1. */
const EMPTY_NIBBLE = 0b0100;
const EMPTY_WORD = 0x44444444;

/** Admits matrices whose every group holds at most 2N - 2 non-zeros. O(rows * cols) at worst. */
export function admits(m: Matrix, p: SlideSparseParams): Admission {
  const reason = lengthProblem('values', m.rows * windowsPerRowOf(m.cols, p) * KEPT, 2);
  if (reason) return { ok: false, reason, remedy: 'Choose a part of the matrix.' };
  const full = firstFullGroup(m, p);
  if (full) {
    const group = 2 * p.halfGroup;
    return {
      ok: false,
      reason: fullGroupText(full.row, full, p),
      remedy: `Prune to ${patternName(p.halfGroup)}.`,
      prune: { kept: group - 2, group },
    };
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
  const rowValues = p.valueType === 'f16' ? new Uint16Array(cols) : new Int8Array(cols);
  const pause = rowsPerYield(cols);
  // step: empty
  metadata.fill(EMPTY_WORD);
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    if (rowValues instanceof Uint16Array) {
      storeFloats(buffer.values, n, rowValues, 0);
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
      for (let i = 0; i < n; i++) rowValues[i] = i8Of(buffer.values[i], scale);
    }
    if (!slideRow(buffer.columns, rowValues, n, p, r * windowsPerRow, metadata, values)) {
      const full = fullGroup(buffer.columns, n, p);
      if (full) throw new FormatError(fullGroupText(r, full, p));
    }
    if (r % pause === 0) yield { what: 'sliding rows', done: r, total: rows };
  }
  return { rows, cols, nnz, ...p, windowsPerRow, values, metadata, scales, checksum: checksum(metadata) };
}

/**
 * One row: every window takes the next two non-zeros that it covers, so that one walk over the row assigns all of them.
 * False when some are left over, which happens only in a group that is too full (theorem 1).
 */
function slideRow(
  columns: Uint32Array,
  rowValues: Uint16Array | Int8Array,
  n: number,
  p: SlideSparseParams,
  firstWindow: number,
  metadata: Uint32Array,
  values: Uint16Array | Int8Array,
): boolean {
  const group = 2 * p.halfGroup;
  const perGroup = windowsPerGroup(p);
  let next = 0;
  while (next < n) {
    const g = Math.floor(columns[next] / group);
    let window = firstWindow + g * perGroup;
    const end = g * group + (perGroup - 1) * STRIDE;
    for (let from = g * group; from <= end; from += STRIDE, window++) {
      // step: slide
      if (next === n || columns[next] >= from + WINDOW) continue;
      const slot = columns[next] - from;
      if (next + 1 < n && columns[next + 1] < from + WINDOW) {
        // step: compress
        setNibble(metadata, window, slot | ((columns[next + 1] - from) << 2));
        values[window * KEPT] = rowValues[next];
        values[window * KEPT + 1] = rowValues[next + 1];
        next += 2;
      } else if (slot === 0) {
        values[window * KEPT] = rowValues[next++];
      } else {
        // step: single
        setNibble(metadata, window, slot << 2);
        values[window * KEPT + 1] = rowValues[next++];
      }
    }
    if (next < n && columns[next] < (g + 1) * group) return false;
  }
  return true;
}

function setNibble(metadata: Uint32Array, window: number, nibble: number): void {
  // step: metadata
  metadata[Math.floor(window / WINDOWS_PER_WORD)] ^= (EMPTY_NIBBLE ^ nibble) << (4 * (window % WINDOWS_PER_WORD));
}
