import type { Counts, Layout, PaddingDeclaration } from '../../core/declared/declaration.ts';
import type { EncodedMatrix } from '../../core/format.ts';
import { counted } from '../../core/text/words.ts';
import { slotsOf, tilesOf, type TwellParams } from './params.ts';

/**
 * TwELL: the columns are divided into tiles of T; the non-zeros of a row inside a tile, a tile row, are pushed to the left
 * into T / C slots (C: the compression). Tile t of row r begins at slot (r * tiles + t) * slots. The packed layout has
 * `words`, the first of a tile row being its count; the split layout has `values`, `indices` and `counts`.
 *
 * Columns ascend inside a tile row; empty slots are 0. A value that rounds to 0 keeps its slot.
 * Source: TwELL paper, Algorithm 1 (split) and listing 1 (packed). Differs: the order is ascending, where atomics leave
 * it open; negative values are stored, too, since ReLU belongs to the operation that makes the matrix.
 */
export interface TwellEncoded extends EncodedMatrix, TwellParams {
  /** tiles of a row */
  readonly tiles: number;
  /** slots of a tile row, T / C */
  readonly slots: number;
  readonly words: Uint32Array;
  readonly values: Uint16Array;
  readonly indices: Uint32Array;
  readonly counts: Uint32Array;
}

export type TwellArray = 'words' | 'values' | 'indices' | 'counts';

/** The arrays of TwELL: type, length, and what their bytes are for. */
export const arrays: Layout<TwellArray, TwellParams>['arrays'] = (p) => {
  const slots = slotsOf(p);
  const tileRows = ({ rows, cols }: Pick<Counts, 'rows' | 'cols'>): number => rows * tilesOf(cols, p);
  /** Length of an array that only `layout` has, with `perTileRow` elements for each tile row. */
  const inLayout = (layout: TwellParams['layout'], perTileRow: number, formula: string) => ({
    length: (counts: Counts) => (p.layout === layout ? tileRows(counts) * perTileRow : 0),
    lengthSays: `${formula} if ${layout}`,
  });
  const emptySlots: PaddingDeclaration['count'] = ({ length, nnz, ...shape }) =>
    length - nnz - (p.layout === 'packed' ? tileRows(shape) : 0);
  const padding: PaddingDeclaration = {
    says: (e) => `${counted(emptySlots(e), 'slot')} of tile rows that are not full`,
    count: emptySlots,
  };
  return {
    words: {
      type: 'u32',
      role: 'values',
      ...inLayout('packed', slots, 'rows * tiles * slots'),
      heads: { every: slots, role: 'metadata' },
      fields: {
        value: { type: 'bf16', role: 'values' },
        column: { type: 'u16', role: 'indices', columns: { remedy: 'Choose the split layout.' } },
      },
      padding,
      meaning: 'word 0 of a tile row: its count; then value and column of each non-zero',
    },
    values: {
      type: 'bf16',
      role: 'values',
      ...inLayout('split', slots, 'rows * tiles * slots'),
      padding,
      meaning: 'non-zeros of a tile row from its first slot on',
    },
    indices: {
      type: 'u32',
      role: 'indices',
      ...inLayout('split', slots, 'rows * tiles * slots'),
      padding,
      meaning: 'column of each in the matrix',
    },
    counts: {
      type: 'u32',
      role: 'metadata',
      ...inLayout('split', 1, 'rows * tiles'),
      meaning: 'non-zeros of each tile row',
    },
  };
};

/** A word of the packed layout: the bf16 bits of a value in the upper half, its column in the lower. */
export function wordOf(bf16: number, column: number): number {
  return ((bf16 << 16) | column) >>> 0;
}

/** Non-zeros of tile row `tileRow` = row * tiles + tile. */
export function countAt(e: TwellEncoded, tileRow: number): number {
  return e.layout === 'packed' ? e.words[tileRow * e.slots] : e.counts[tileRow];
}

/** Index of the array element with entry `i` of a tile row; in the packed layout the count precedes the entries. */
export function entryAt(e: TwellEncoded, tileRow: number, i: number): number {
  return tileRow * e.slots + i + (e.layout === 'packed' ? 1 : 0);
}

/** Column of the entry at index `element` of the arrays. */
export function columnAt({ layout, words, indices }: TwellEncoded, element: number): number {
  return layout === 'packed' ? words[element] & 0xffff : indices[element];
}

/** bf16 bits of the value at index `element` of the arrays. */
export function valueBitsAt({ layout, words, values }: TwellEncoded, element: number): number {
  return layout === 'packed' ? words[element] >>> 16 : values[element];
}
