import { countFrom, groupCounts, lastCounted } from '../../core/comparison/counts.ts';
import { declareEncoding } from '../../core/declared/declare.ts';
import type { Violations } from '../../core/encoded/violations.ts';
import type { MatrixStatistics } from '../../core/statistics/matrix-statistics.ts';
import { meanText, shareText } from '../../core/text/rounded.ts';
import { counted, countText } from '../../core/text/words.ts';
import { arrays, columnAt, countAt, entryAt, type TwellArray, type TwellEncoded } from './layout.ts';
import { overflowOf, overflowRejection } from './overflow.ts';
import { capacityOf, params, sizeReason, slotsOf, TILE_WIDTHS, tilesOf, type TwellParams } from './params.ts';

/** Number of tile rows (the part of a row in one tile) with more non-zeros than fit. */
function overflowingTileRows(s: MatrixStatistics, p: TwellParams): number {
  return countFrom(groupCounts(s, p.tileWidth), capacityOf(p) + 1);
}

/** How TwELL is encoded and checked, by the lines of its paper. The animation quotes the line after `// step: NAME`. */
export const encoding = declareEncoding<TwellArray, TwellParams, TwellEncoded>({
  id: 'twell',
  params,
  arrays,
  /** Section 3.3, algorithm 1 for the layout 'split'; 'packed' is listing 1: a count, then a word for each entry. */
  *encode(A, { words, values, indices, counts }, p, narrate) {
    const isPacked = p.layout === 'packed';
    const nz = isPacked ? words : counts; // the array with the non-zeros of each tile row
    const slotArrays = isPacked ? [words] : [values, indices];
    const capacity = capacityOf(p);
    const { cols, tileWidth } = p;
    // Line 7: row m.
    for (const { index: m, columns, values: S, length } of A) {
      let at = 0; // index of the next non-zero of the row
      // Line 4: the tiles, n0 their first columns.
      for (let n0 = 0; n0 < cols; n0 += tileWidth) {
        // step: tile
        const position = nz.push(0);
        // Line 8.
        let z = 0;
        // Lines 9 and 10: what is not 0.
        for (; at < length && columns[at] < n0 + tileWidth; at++) {
          if (z === capacity) return false;
          // Lines 12 and 13: value and column, in a word or each in its array.
          // step: slot-packed
          if (isPacked) words.pushFields(S[at], columns[at]);
          else {
            // step: slot-split
            values.push(S[at]);
            indices.push(columns[at]);
          }
          // Line 14.
          z++;
        }
        // Line 17.
        // step: count
        nz.set(position, z);
        // The slots that stay empty.
        for (const array of slotArrays) array.pad(0, capacity - z);
        narrate?.(`Token {row ${m}}, tile ${n0 / tileWidth}: ${capacityText(z, capacity)}`, m);
      }
      yield;
    }
    return { tiles: tilesOf(p.cols, p), slots: slotsOf(p) };
  },
  /** Algorithm 2, lines 6 to 9, and the loop of listing 2 over the words of a tile. */
  decode({ words, 'words.value': value, 'words.column': column, values, indices, counts }, p, put) {
    const tiles = tilesOf(p.cols, p);
    const slots = slotsOf(p);
    for (let tileRow = 0; tileRow < p.rows * tiles; tileRow++) {
      const m = Math.floor(tileRow / tiles);
      const n = tileRow * slots;
      if (p.layout === 'packed') for (let i = n + 1; i <= n + words[n]; i++) put(m, column[i], value[i]);
      else for (let i = n; i < n + counts[tileRow]; i++) put(m, indices[i], values[i]);
    }
  },
  overflows(m, p) {
    const overflow = overflowOf(m, p.tileWidth, capacityOf(p));
    return overflow && overflowRejection(overflow, m.cols, p);
  },
  shorter: 'Choose a higher compression or a part of the matrix.',
  rules: {
    words: 'counts fit the slots and add up to nnz; columns ascend in their tile; 0 in empty slots',
    values: '0 in empty slots',
    indices: 'ascend in their tile; 0 in empty slots',
    counts: 'fit the slots and add up to nnz',
  },
  checkLengths(e, v) {
    const arrayOfCounts = e.layout === 'packed' ? 'words' : 'counts';
    v.expect(arrayOfCounts, null, 'tiles', e.tiles, tilesOf(e.cols, e), 'cols / tileWidth, rounded up');
    v.expect(arrayOfCounts, null, 'slots', e.slots, slotsOf(e), 'tileWidth / compression');
  },
  check,
  sizeReason: (e) => sizeReason(e, e),
  comparison: {
    groups: TILE_WIDTHS,
    why(s, p) {
      const tileRows = s.rows * tilesOf(s.cols, p);
      const capacity = capacityOf(p);
      if (tileRows === 0) return 'There is no tile row.';
      const mean = s.nnz / tileRows;
      return `A tile row of ${p.tileWidth} columns has ${counted(capacity, 'slot')} for values and ${meanText(mean)} values on average: ${shareText(1 - mean / capacity)} of the slots are empty.`;
    },
    whyRefused(s, p) {
      const overflowing = overflowingTileRows(s, p);
      if (overflowing === 0) return null;
      const counts = groupCounts(s, p.tileWidth);
      return `${countText(overflowing)} of ${counted(countFrom(counts, 0), 'tile row')} ${overflowing === 1 ? 'has' : 'have'} more non-zeros than the ${capacityOf(p)} that fit, up to ${lastCounted(counts)}.`;
    },
    marks(s, p) {
      const overflowing = overflowingTileRows(s, p);
      return [
        {
          chart: { of: 'groups', width: p.tileWidth },
          at: capacityOf(p),
          title: `TwELL ${p.compression} : 1, at most`,
          lines: [countText(capacityOf(p)), overflowing === 0 ? 'none over' : `${countText(overflowing)} over`],
          isLimit: true,
        },
      ];
    },
  },
});

/** The end of a text about a tile row: its non-zeros, and how many slots stay empty. */
function capacityText(count: number, capacity: number): string {
  const free = capacity - count;
  const rest = free === 0 ? 'it is full' : `${counted(free, 'slot')} ${free === 1 ? 'stays' : 'stay'} empty`;
  return count === 0 ? `nothing to store; ${rest}.` : `${counted(count, 'non-zero')}, moved to the left; ${rest}.`;
}

/** Checks that no tile row has more entries than fit, counts add up to nnz, columns ascend, empty slots are 0. O(slots). */
function check(e: TwellEncoded, v: Violations): void {
  const isPacked = e.layout === 'packed';
  const arrayOfCounts = isPacked ? 'words' : 'counts';
  const tileRows = e.rows * e.tiles;
  const capacity = capacityOf(e);
  let sum = 0;
  for (let t = 0; t < tileRows && !v.full; t++) {
    const count = countAt(e, t);
    sum += count;
    if (count > capacity)
      v.add(
        arrayOfCounts,
        isPacked ? t * e.slots : t,
        `${positionOf(e, t)}: found count ${count}, expected at most ${capacity}`,
      );
  }
  if (v.found.length > 0) return;
  v.expect(arrayOfCounts, null, 'sum of counts', sum, e.nnz, 'nnz');
  for (let t = 0; t < tileRows && !v.full; t++) checkTileRow(e, t, v);
}

/** Checks that columns ascend inside the tile, and that empty slots are 0. Messages are built only on failure. */
function checkTileRow(e: TwellEncoded, tileRow: number, v: Violations): void {
  const array = e.layout === 'packed' ? 'words' : 'indices';
  const from = (tileRow % e.tiles) * e.tileWidth;
  const to = Math.min(from + e.tileWidth, e.cols);
  const end = entryAt(e, tileRow, countAt(e, tileRow));
  let previous = from - 1;
  for (let index = entryAt(e, tileRow, 0); index < end && !v.full; index++) {
    const column = columnAt(e, index);
    if (column <= previous || column >= to) {
      v.add(
        array,
        index,
        `${array}[${index}] in ${positionOf(e, tileRow)}: found column ${column}, expected ${Math.max(from, previous + 1)} to ${to - 1}, ascending`,
      );
    }
    previous = column;
  }
  const last = (tileRow + 1) * e.slots;
  for (let index = end; index < last && !v.full; index++) {
    const empty = `an empty slot of ${positionOf(e, tileRow)}`;
    if (e.layout === 'packed') {
      if (e.words[index] !== 0) v.expect('words', index, `words[${index}], ${empty}`, e.words[index], 0);
      continue;
    }
    if (e.indices[index] !== 0) v.expect('indices', index, `indices[${index}], ${empty}`, e.indices[index], 0);
    if (e.values[index] !== 0) v.expect('values', index, `values[${index}], ${empty}`, e.values[index], 0);
  }
}

function positionOf({ tiles }: TwellEncoded, tileRow: number): string {
  return `row ${Math.floor(tileRow / tiles)}, tile ${tileRow % tiles}`;
}
