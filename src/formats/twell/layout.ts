import type { EncodedMatrix, Violation } from '../../core/format.ts';
import { Violations } from '../../core/encoded/violations.ts';
import { capacityOf, slotsOf, tilesOf, type TwellParams } from './params.ts';

/**
 * TwELL: the columns are cut into tiles of T; the non-zeros of a row inside a tile, a tile row, are pushed to the left
 * into T / C slots. Tile t of row r begins at slot (r * tiles + t) * slots.
 *
 * | array | dtype | length | meaning |
 * |---|---|---|---|
 * | words | u32 | packed: rows * tiles * slots, else 0 | word 0 of a tile row: its count; then bf16 bits << 16 \| column |
 * | values | bf16 bits | split: rows * tiles * slots, else 0 | non-zeros of a tile row from its slot 0 on |
 * | indices | u32 | split: rows * tiles * slots, else 0 | column of each in the matrix |
 * | counts | u32 | split: rows * tiles, else 0 | non-zeros of each tile row |
 *
 * Columns ascend inside a tile row; empty slots hold 0. A value that rounds to 0 keeps its slot.
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

/** The word of the packed layout: bf16 bits above, column below. */
export function wordOf(bf16: number, column: number): number {
  // step: word
  return ((bf16 << 16) | column) >>> 0;
}

/** Non-zeros of tile row `tileRow` = row * tiles + tile. */
export function countAt(e: TwellEncoded, tileRow: number): number {
  return e.layout === 'packed' ? e.words[tileRow * e.slots] : e.counts[tileRow];
}

/** Element of the arrays that holds entry `i` of a tile row: the packed layout has the count before them. */
export function entryAt(e: TwellEncoded, tileRow: number, i: number): number {
  return tileRow * e.slots + i + (e.layout === 'packed' ? 1 : 0);
}

/** Column of the entry at an element of the arrays. */
export function columnAt({ layout, words, indices }: TwellEncoded, element: number): number {
  return layout === 'packed' ? words[element] & 0xffff : indices[element];
}

/** bf16 bits of the entry at an element of the arrays. */
export function valueBitsAt({ layout, words, values }: TwellEncoded, element: number): number {
  return layout === 'packed' ? words[element] >>> 16 : values[element];
}

/** The checks of `validate` per array besides length and checksum. */
export const rules = {
  words: 'counts fit the slots and add up to nnz; columns ascend in their tile; 0 in empty slots',
  values: '0 in empty slots',
  indices: 'ascend in their tile; 0 in empty slots',
  counts: 'fit the slots and add up to nnz',
} as const;

/**
 * 'cheap' O(1): the lengths. 'full' O(rows * tiles * slots): no tile row has more entries than slots, the counts add up
 * to nnz, columns ascend inside their tile, empty slots hold 0, and checksums match.
 */
export function validate(e: TwellEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const v = new Violations();
  const tileRows = e.rows * e.tiles;
  const places = tileRows * e.slots;
  const isPacked = e.layout === 'packed';
  const main = isPacked ? 'words' : 'counts';
  v.expect(main, null, 'tiles', e.tiles, tilesOf(e.cols, e), 'cols / tileWidth, rounded up');
  v.expect(main, null, 'slots', e.slots, slotsOf(e), 'tileWidth / compression');
  v.expect('words', null, 'length of words', e.words.length, isPacked ? places : 0, 'rows * tiles * slots if packed');
  v.expect('values', null, 'length of values', e.values.length, isPacked ? 0 : places, 'rows * tiles * slots if split');
  v.expect(
    'indices',
    null,
    'length of indices',
    e.indices.length,
    isPacked ? 0 : places,
    'rows * tiles * slots if split',
  );
  v.expect('counts', null, 'length of counts', e.counts.length, isPacked ? 0 : tileRows, 'rows * tiles if split');
  if (level === 'cheap' || v.found.length > 0) return v.found;

  const capacity = capacityOf(e);
  let sum = 0;
  for (let t = 0; t < tileRows && !v.full; t++) {
    const count = countAt(e, t);
    sum += count;
    if (count > capacity)
      v.add(main, isPacked ? t * e.slots : t, `${placeOf(e, t)}: found count ${count}, expected at most ${capacity}`);
  }
  if (v.found.length > 0) return v.found;
  v.expect(main, null, 'sum of counts', sum, e.nnz, 'nnz');
  for (let t = 0; t < tileRows && !v.full; t++) checkTileRow(e, t, v);
  v.unchanged(e);
  return v.found;
}

/** Columns ascend and are inside the tile; everything after the entries is 0. The message is built only on failure. */
function checkTileRow(e: TwellEncoded, tileRow: number, v: Violations): void {
  const array = e.layout === 'packed' ? 'words' : 'indices';
  const from = (tileRow % e.tiles) * e.tileWidth;
  const to = Math.min(from + e.tileWidth, e.cols);
  const end = entryAt(e, tileRow, countAt(e, tileRow));
  let previous = from - 1;
  for (let at = entryAt(e, tileRow, 0); at < end && !v.full; at++) {
    const column = columnAt(e, at);
    if (column <= previous || column >= to) {
      v.add(
        array,
        at,
        `${array}[${at}] in ${placeOf(e, tileRow)}: found column ${column}, expected ${Math.max(from, previous + 1)} to ${to - 1}, ascending`,
      );
    }
    previous = column;
  }
  const last = (tileRow + 1) * e.slots;
  for (let at = end; at < last && !v.full; at++) {
    const empty = `an empty slot of ${placeOf(e, tileRow)}`;
    if (e.layout === 'packed') {
      if (e.words[at] !== 0) v.expect('words', at, `words[${at}], ${empty}`, e.words[at], 0);
      continue;
    }
    if (e.indices[at] !== 0) v.expect('indices', at, `indices[${at}], ${empty}`, e.indices[at], 0);
    if (e.values[at] !== 0) v.expect('values', at, `values[${at}], ${empty}`, e.values[at], 0);
  }
}

function placeOf({ tiles }: TwellEncoded, tileRow: number): string {
  return `row ${Math.floor(tileRow / tiles)}, tile ${tileRow % tiles}`;
}
