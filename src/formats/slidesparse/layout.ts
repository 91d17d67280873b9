import { storedAs } from '../../core/declared/card.ts';
import type { ArrayDeclaration, Layout } from '../../core/declared/declaration.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import { f16Value } from '../../core/number/index.ts';
import { counted } from '../../core/text/words.ts';
import { KEPT, type SlideSparseParams, STRIDE, windowsPerGroup } from './params.ts';

/** The number of windows that one metadata word describes. */
export const WINDOWS_PER_WORD = 8;

/**
 * A (2N-2):2N matrix, divided into overlapping windows that are compressed to 2:4. A row has groups of 2N columns; each
 * group becomes N - 1 windows of 4 columns, 2 apart; each window keeps two of its four slots. Rows are rounded up to
 * whole metadata words: `windowsPerRow` is a multiple of 8.
 *
 * Window w of a row is window l = w % (N - 1) of group g = floor(w / (N - 1)); its slot i is matrix column
 * 2N g + 2 l + i. A window with one non-zero at slot s keeps s and the smallest other slot; an empty one keeps 0 and 1.
 * Source: SlideSparse paper, algorithm 2, which leaves the 2:4 layout open.
 */
export interface SlideSparseEncoded extends EncodedMatrix, SlideSparseParams {
  readonly windowsPerRow: number;
  readonly values: Uint16Array | Int8Array;
  readonly metadata: Uint32Array;
  readonly scales: Float32Array;
}

/** Number of windows of a row, without those that pad the row to whole words. */
export function usedWindows(cols: number, p: SlideSparseParams): number {
  return Math.ceil(cols / (2 * p.halfGroup)) * windowsPerGroup(p);
}

/** Number of windows of a row, with those that pad the row to whole words. */
export function windowsPerRowOf(cols: number, p: SlideSparseParams): number {
  return Math.ceil(usedWindows(cols, p) / WINDOWS_PER_WORD) * WINDOWS_PER_WORD;
}

/** Metadata nibble of window w of a row. */
export function nibbleAt(e: { metadata: Uint32Array; windowsPerRow: number }, row: number, w: number): number {
  const window = row * e.windowsPerRow + w;
  return (e.metadata[Math.floor(window / WINDOWS_PER_WORD)] >>> (4 * (window % WINDOWS_PER_WORD))) & 15;
}

/** First matrix column of window w. */
export function windowStart(e: SlideSparseParams, w: number): number {
  const perGroup = windowsPerGroup(e);
  return Math.floor(w / perGroup) * 2 * e.halfGroup + (w % perGroup) * STRIDE;
}

/** Matrix column of the k-th kept slot (0 or 1) of window w. */
export function keptColumn(e: SlideSparseEncoded, row: number, w: number, k: number): number {
  return windowStart(e, w) + ((nibbleAt(e, row, w) >>> (2 * k)) & 3);
}

/** The number that the k-th kept slot of window w stores. */
export function keptValue(e: SlideSparseEncoded, row: number, w: number, k: number): number {
  const raw = e.values[(row * e.windowsPerRow + w) * KEPT + k];
  return e.valueType === 'f16' ? f16Value(raw) : Math.fround(raw * e.scales[row]);
}

const padding: ArrayDeclaration['padding'] = {
  says: ({ length, nnz }) => [
    `${counted(length - nnz, 'kept slot')} ${length - nnz === 1 ? 'has' : 'have'} no non-zero`,
  ],
};

export type SlideSparseArray = 'values' | 'metadata' | 'scales';

/** The arrays of SlideSparse: type, length, and what their bytes are for. */
export const arrays: Layout<SlideSparseArray, SlideSparseParams>['arrays'] = (p) => {
  const length: ArrayDeclaration['length'] = ({ rows, cols }) => rows * windowsPerRowOf(cols, p) * KEPT;
  return {
    values: {
      ...storedAs(p.valueType, 'scales'),
      role: 'values',
      length,
      lengthSays: 'rows * windowsPerRow * 2',
      padding,
      meaning: 'the two kept slots of each window',
    },
    metadata: {
      type: 'u2',
      inWords: true,
      // A nibble for each window: slot i0 in the lower two bits, i1 in the upper two.
      dtype: '4-bit in u32',
      role: 'indices',
      length,
      lengthSays: 'rows * windowsPerRow * 2',
      padding,
      meaning: 'the slot of each in its window, i0 < i1',
    },
    scales: {
      type: 'f32',
      role: 'metadata',
      length: ({ rows }) => (p.valueType === 'i8' ? rows : 0),
      lengthSays: 'rows for i8',
      meaning: 'of i8 the value of one step of the row',
    },
  };
};
