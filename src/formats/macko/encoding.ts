import { countFrom } from '../../core/comparison/counts.ts';
import { storedAs } from '../../core/declared/card.ts';
import type { Counts, Layout } from '../../core/declared/declaration.ts';
import { declareEncoding } from '../../core/declared/declare.ts';
import type { DerivedMembers } from '../../core/declared/declarations.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import type { Violations } from '../../core/encoded/violations.ts';
import { packedQ4, Q4_ZERO, scaleCount, type SlotOf, VALUE_BITS } from '../../core/number/index.ts';
import type { MatrixStatistics } from '../../core/statistics/matrix-statistics.ts';
import { shareText } from '../../core/text/rounded.ts';
import { counted } from '../../core/text/words.ts';
import { fact, type Stated, stated } from '../../core/text/stated.ts';
import { entryCount, GROUP, type MackoEncoded, paddedLength, passedColumns, storedDelta } from './layout.ts';
import {
  skipLimit,
  DELTA_BITS,
  type DeltaBits,
  emptyReason,
  FEW_ZEROS,
  type MackoParams,
  meanSkip,
  params,
  zerosPerWeight,
  reachOf,
} from './params.ts';

/** '2 columns are skipped', 'No column is skipped'. */
export function skippedText(skip: number): string {
  return skip === 0 ? 'No column is skipped' : `${counted(skip, 'column')} ${skip === 1 ? 'is' : 'are'} skipped`;
}

/** Number of stored zeros, from the count of gaps by width: a gap of g needs ceil(g / 2^deltaBits) - 1. O(widest gap). */
function zerosIn(gaps: ArrayLike<number>, deltaBits: DeltaBits): number {
  const reach = reachOf(deltaBits);
  let zeros = 0;
  for (let gap = reach + 1; gap < gaps.length; gap++) zeros += gaps[gap] * Math.floor((gap - 1) / reach);
  return zeros;
}

/** Number of entries, from the encoded matrix or counts of its gaps; null if neither is known. */
function entriesIn({ rows, nnz, gaps, encoded }: Counts, deltaBits: DeltaBits): number | null {
  if (encoded?.indptr instanceof Uint32Array) return encoded.indptr[rows];
  return gaps ? nnz + zerosIn(gaps, deltaBits) : null;
}

/** Assigns each non-zero, in row-major order, its index among the entries (its slot), stored zeros counted. */
function slotsOf(deltaBits: DeltaBits): SlotOf {
  let entry = 0;
  let previous = { row: -1, column: -1 };
  return (row, column) => {
    const skipped = column - (row === previous.row ? previous.column : -1) - 1;
    entry += skipped >>> deltaBits; // stored zeros before this non-zero
    previous = { row, column };
    return entry++;
  };
}

type MackoArray = 'values' | 'deltas' | 'indptr' | 'scales';

const arrays: Layout<MackoArray, MackoParams>['arrays'] = ({ deltaBits, valueType }) => {
  /** A length that follows from the number of entries; null while that number is unknown. */
  const fromEntries = (lengthOf: (entries: number) => number) => (counts: Counts) => {
    const entries = entriesIn(counts, deltaBits);
    return entries === null ? null : lengthOf(entries);
  };
  const entriesOf = (e: EncodedMatrix): number => entryCount(e as MackoEncoded);
  const zeroTexts = (e: EncodedMatrix): readonly string[] =>
    entriesOf(e) > e.nnz ? [counted(entriesOf(e) - e.nnz, 'stored zero')] : [];
  return {
    values: {
      ...storedAs(valueType, 'scales', () => slotsOf(deltaBits)),
      role: 'values',
      length: fromEntries(paddedLength),
      lengthSays: 'entries, rounded up to a multiple of 8',
      padding: { says: (e) => [...zeroTexts(e), ...(entriesOf(e) % GROUP > 0 ? ['the tail'] : [])] },
      meaning: 'non-zeros and stored zeros in row-major order; 0 in the tail; as i4, 8 means 0',
    },
    deltas: {
      type: `u${deltaBits}`,
      inWords: true,
      role: 'indices',
      length: fromEntries((entries) => entries),
      lengthSays: 'entries',
      padding: { says: zeroTexts },
      meaning: 'column gap - 1 of each entry; rows are not aligned',
    },
    indptr: { type: 'u32', role: 'metadata', offsetsInto: 'deltas', meaning: 'first entry of row i' },
    scales: {
      type: valueType === 'i4' ? 'f16' : 'f32',
      role: 'metadata',
      length:
        valueType === 'i4'
          ? fromEntries((entries) => scaleCount(entries, 0, 'i4'))
          : ({ rows }) => scaleCount(0, rows, valueType),
      lengthSays: valueType === 'i4' ? 'entries / 32, rounded up, for i4' : 'rows for i8',
      meaning: 'value of one step of i8 in a row, or of i4 in 32 entries, where it may be negative',
    },
  };
};

/** Why a MACKO matrix has its size, as text. `zeros`: the number of stored zeros; `gaps`: the sum of all gaps, in columns. */
function sizeReason(
  { nnz, zeros, gaps }: { readonly nnz: number; readonly zeros: number; readonly gaps: number },
  p: Pick<MackoParams, 'deltaBits'>,
): Stated {
  if (nnz === 0) return emptyReason(p);
  const skipped = stated`on average ${meanSkip(gaps / nnz, ['empty column lies', 'empty columns lie'])} between weights; ${skipLimit(p)}`;
  if (zeros === 0) return skipped;
  const stored =
    zeros < FEW_ZEROS * nnz
      ? stated`${fact('padding', zeros, 'count', ['stored zero', 'stored zeros'])} for ${fact('non-zeros', nnz, 'count', ['weight', 'weights'])}`
      : stated`${zerosPerWeight(zeros / nnz)} stored zeros per weight`;
  return stated`${skipped}, with ${stored}`;
}

/**
 * MACKO in its shortest form (its paper, section 3), with its checks and reasons for its size. The story records it,
 * and tests compare with it: matrices are encoded by encode.ts and decoded by decode.ts, which are faster. A gap is the
 * distance in columns from one entry to the next; a skip, stored as delta, is the gap - 1. Where a gap is too wide for
 * a delta, zeros are stored on the way; those after the last entry are the tail. The story quotes the lines around
 * `// step: NAME`.
 */
export const encoding: DerivedMembers<MackoEncoded, MackoParams> = declareEncoding<
  MackoArray,
  MackoParams,
  MackoEncoded
>({
  id: 'macko',
  params,
  arrays,
  *encode(A, { values, deltas, indptr }, { deltaBits }, narrate) {
    const reach = reachOf(deltaBits);
    for (const row of A) {
      // step: row
      indptr.push(deltas.length);
      narrate?.(`The row begins at entry ${deltas.length}.`, row);
      let previous = -1;
      for (let i = 0; i < row.length; i++) {
        let gap = row.columns[i] - previous;
        previous = row.columns[i];
        for (; gap > reach; gap -= reach) {
          // step: pad
          values.pad();
          deltas.pad(reach - 1);
          narrate?.(`${skippedText(gap - 1)}, but ${skipLimit({ deltaBits }).text}: a zero is stored on the way.`, row);
        }
        // step: emit
        values.push(row.values[i]);
        deltas.push(gap - 1);
        narrate?.(`${skippedText(gap - 1)}.`, row, previous);
      }
      yield;
    }
    const tail = paddedLength(values.length) - values.length;
    // Lanes read groups of entries (section 4).
    values.pad(0, tail);
    // step: end
    indptr.push(deltas.length);
    narrate?.(
      `The list ends at entry ${deltas.length}${tail > 0 ? '; lanes read eight, so zeros fill up the last' : ''}.`,
    );
  },
  decode({ values, deltas, indptr }, { rows }, put) {
    for (let r = 0; r < rows; r++) {
      let column = -1;
      for (let i = indptr[r]; i < indptr[r + 1]; i++) {
        column += deltas[i] + 1;
        put(r, column, values[i]); // also of a stored zero: `put` leaves zeros out
      }
    }
  },
  rules: {
    values: 'at most nnz entries other than stored zeros (0, largest delta, not last in a row); 0 past the last entry',
    deltas: 'columns below cols; 0 past the last entry',
    indptr: 'from 0, never descending',
    scales: 'finite; above 0 for i8',
  },
  /** The first of all checks: the declared lengths are computed from indptr. */
  checkLengths(e, v) {
    v.expect('indptr', null, 'indptr', e.indptr.length, e.rows + 1, 'rows + 1 elements');
    if (v.found.length > 0 || e.nnz <= entryCount(e)) return;
    v.add('indptr', e.rows, `indptr[rows]: found ${entryCount(e)}, expected at least nnz = ${e.nnz}`);
  },
  check(e, v) {
    checkColumns(e, v);
    if (v.found.length === 0) checkTails(e, v);
  },
  /** From the gaps of this matrix, and the zeros that they need. O(entries). */
  sizeReason(e) {
    const entries = entryCount(e);
    return sizeReason({ nnz: e.nnz, zeros: entries - e.nnz, gaps: passedColumns(e, 0, entries) }, e);
  },
  comparison: {
    why(s, { deltaBits }) {
      if (s.nnz === 0) return 'No non-zeros: only row starts.';
      const bits = deltaBits === 1 ? '1 bit suffices' : `${deltaBits} bits suffice`;
      const zeros = zerosIn(s.gaps, deltaBits);
      if (zeros === 0) return `Every skip fits in ${counted(deltaBits, 'bit')}, so no zero is stored.`;
      const share = zeros / (s.nnz + zeros);
      return `${bits} for ${shareText(reachedShare(s, deltaBits))} of the skips; ${shareText(share)} of the entries are stored zeros.`;
    },
    marks(s, p) {
      const dense = (s.rows * s.cols * VALUE_BITS[p.valueType]) / 8;
      if (dense === 0) return [];
      return DELTA_BITS.map((deltaBits) => {
        const reached = reachedShare(s, deltaBits);
        const share = Number(encoding.comparison.size(s, { ...p, deltaBits })) / dense;
        return {
          chart: { of: 'gaps' as const },
          at: reachOf(deltaBits),
          title: `${deltaBits} bit`,
          lines: [reached === 1 ? 'all' : shareText(reached), share.toFixed(3)],
          params: { deltaBits },
        };
      });
    },
  },
});

/** Share of the gaps that a delta of `deltaBits` bits reaches without a stored zero. */
function reachedShare({ gaps, nnz }: MatrixStatistics, deltaBits: DeltaBits): number {
  return nnz === 0 ? 1 : 1 - countFrom(gaps, reachOf(deltaBits) + 1) / nnz;
}

/** Whether the value of entry i, or of the tail past the last entry, is 0. */
function isZero({ values }: Pick<MackoEncoded, 'values'>, i: number): boolean {
  return values instanceof Uint8Array ? packedQ4(values, i) === Q4_ZERO : values[i] === 0;
}

/** Adds violations of the columns of entries, and of the number of non-zeros. */
function checkColumns(e: MackoEncoded, v: Violations): void {
  const largestDelta = reachOf(e.deltaBits) - 1;
  let notStoredZeros = 0;
  for (let r = 0; r < e.rows && !v.full; r++) {
    const end = e.indptr[r + 1];
    let column = -1;
    for (let i = e.indptr[r]; i < end; i++) {
      const stored = storedDelta(e, i);
      column += stored + 1;
      // A stored zero has the largest delta, and is never the last entry of its row.
      if (!isZero(e, i) || stored !== largestDelta || i === end - 1) notStoredZeros++;
    }
    if (column >= e.cols) {
      v.add('deltas', end - 1, `deltas of row ${r}: the last entry is at column ${column}, expected below ${e.cols}`);
    }
  }
  if (v.found.length === 0 && notStoredZeros > e.nnz) {
    v.add('deltas', null, `entries that are no stored zeros: found ${notStoredZeros}, expected at most nnz = ${e.nnz}`);
  }
}

/** Adds violations of the elements and bits past the last entry. */
function checkTails(e: MackoEncoded, v: Violations): void {
  const entries = entryCount(e);
  for (let i = entries; i < paddedLength(entries); i++) {
    if (!isZero(e, i)) v.add('values', i, `values[${i}] in the tail: found a value other than 0, expected 0`);
  }
  const usedBits = (entries * e.deltaBits) % 32;
  const last = e.deltas.length - 1;
  if (usedBits > 0) v.expect('deltas', last, `deltas[${last}] above bit ${usedBits}`, e.deltas[last] >>> usedBits, 0);
}
