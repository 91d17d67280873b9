import type { Fact } from '../../core/format.ts';
import { bf16Table } from '../../core/number/index.ts';
import { shareOfRows } from '../../core/overflow-odds.ts';
import { countText, counted } from '../../core/words.ts';
import { columnAt, countAt, entryAt, type TwellEncoded, valueBitsAt } from './layout.ts';
import { capacityOf } from './params.ts';

/** What the activations of one matrix look like. */
export interface ActivationStatistics {
  /** most non-zeros of a row, and the first row that has them; 0 and 0 without rows */
  readonly longestRow: { readonly row: number; readonly count: number };
  /** most non-zeros of a tile row */
  readonly fullestTile: { readonly row: number; readonly tile: number; readonly count: number };
  /** columns without a non-zero: neurons that never fire here */
  readonly deadColumns: number;
  /** mean over the rows of the sum of |value| */
  readonly l1PerRow: number;
}

/** Counts and sums over the encoded arrays. O(rows * tiles + nnz + cols). */
export function statistics(e: TwellEncoded): ActivationStatistics {
  const { rows, cols, tiles } = e;
  const table = bf16Table();
  const isAlive = new Uint8Array(cols);
  let longestRow = { row: 0, count: 0 };
  let fullestTile = { row: 0, tile: 0, count: 0 };
  let l1 = 0;
  for (let row = 0; row < rows; row++) {
    let inRow = 0;
    for (let tile = 0; tile < tiles; tile++) {
      const tileRow = row * tiles + tile;
      const count = countAt(e, tileRow);
      inRow += count;
      if (count > fullestTile.count) fullestTile = { row, tile, count };
      const first = entryAt(e, tileRow, 0);
      for (let at = first; at < first + count; at++) {
        l1 += Math.abs(table[valueBitsAt(e, at)]);
        isAlive[columnAt(e, at)] = 1;
      }
    }
    if (inRow > longestRow.count) longestRow = { row, count: inRow };
  }
  const alive = isAlive.reduce((sum, is) => sum + is, 0);
  return { longestRow, fullestTile, deadColumns: cols - alive, l1PerRow: rows === 0 ? 0 : l1 / rows };
}

/** The statistics in words, beside what independent non-zeros would do. */
export function facts(e: TwellEncoded): readonly Fact[] {
  const { rows, cols, nnz, tiles, tileWidth } = e;
  if (rows === 0 || cols === 0) return [];
  const { longestRow, fullestTile, deadColumns, l1PerRow } = statistics(e);
  const capacity = capacityOf(e);
  const perRow = nnz / rows;
  return [
    {
      label: 'non-zeros per row (L0)',
      value: short(perRow),
      note: `At most ${countText(longestRow.count)}, in row ${longestRow.row}.`,
    },
    {
      label: 'non-zeros per tile row',
      value: short(nnz / (rows * tiles)),
      note: `At most ${fullestTile.count} of ${counted(capacity, 'place')}, in row ${fullestTile.row}, tile ${fullestTile.tile}.`,
    },
    {
      label: 'odds that a row overflows',
      value: oddsText(shareOfRows({ cols, width: tileWidth, capacity }, perRow)),
      note: 'If the non-zeros fell independently with this mean. Tokens differ, though: of 5632 columns, 3 % of the tokens with 400 non-zeros overflow and half of those with 500; the 1e\u221234 of the paper is for an average token.',
    },
    {
      label: 'sum of magnitudes per row (L1)',
      value: short(l1PerRow),
      note: 'Not divided by the number of columns, as in the authors’ code; their equation 2 divides.',
    },
    {
      label: 'columns without a non-zero',
      value: countText(deadColumns),
      note: `Neurons of ${countText(cols)} that no token of this matrix fires.`,
    },
  ];
}

/** Three significant digits, or a whole number. */
function short(value: number): string {
  return Number.isInteger(value)
    ? countText(value)
    : value >= 100
      ? countText(Math.round(value))
      : value.toPrecision(3);
}

/** 50 %, 0.3 %, 2e-33. */
export function oddsText(odds: number): string {
  if (odds === 0) return '0';
  if (odds >= 0.001) return `${(100 * odds).toPrecision(2)} %`;
  return odds.toExponential(0).replace('e-', 'e\u2212');
}
