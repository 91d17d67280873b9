import { magnitudeFact, meanInThreeDigits, perRowFact } from '../../theory/activation-facts.ts';
import type { Fact } from '../../core/format.ts';
import { bf16Table } from '../../core/number/index.ts';
import { rowOverflowProbability } from '../../theory/overflow-odds.ts';
import { countText, counted } from '../../core/text/words.ts';
import { columnAt, countAt, entryAt, type TwellEncoded, valueBitsAt } from './layout.ts';
import { capacityOf } from './params.ts';
import { CONVERTED_TILES } from './published.ts';

/** Coefficients of the L1 term. Source: TwELL paper, section 4, and appendix C (sparsity warm-up). */
const RECOMMENDED_L1 = 2e-5;
const WARM_UP_L1 = 3e-4;

/** Statistics of the activations of one matrix. */
interface ActivationStatistics {
  /** most non-zeros of a row, and the first row that has them; 0 and 0 without rows */
  readonly longestRow: { readonly row: number; readonly count: number };
  /** most non-zeros of a tile row, the part of a row in one tile */
  readonly fullestTile: { readonly row: number; readonly tile: number; readonly count: number };
  /** non-zeros in tiles that the authors' conversion to the hybrid format drops */
  readonly dropped: number;
  /** columns without a non-zero: neurons that never fire here */
  readonly deadColumns: number;
  /** mean over the rows of the sum of |value| */
  readonly l1PerRow: number;
}

/** The statistics of an encoded matrix. O(rows * tiles + nnz + cols). */
function statistics(e: TwellEncoded): ActivationStatistics {
  const { rows, cols, tiles } = e;
  const table = bf16Table();
  const isAlive = new Uint8Array(cols);
  let longestRow = { row: 0, count: 0 };
  let fullestTile = { row: 0, tile: 0, count: 0 };
  let l1 = 0;
  let dropped = 0;
  for (let row = 0; row < rows; row++) {
    let inRow = 0;
    for (let tile = 0; tile < tiles; tile++) {
      const tileRow = row * tiles + tile;
      const count = countAt(e, tileRow);
      inRow += count;
      if (tile >= CONVERTED_TILES) dropped += count;
      if (count > fullestTile.count) fullestTile = { row, tile, count };
      const first = entryAt(e, tileRow, 0);
      for (let entry = first; entry < first + count; entry++) {
        l1 += Math.abs(table[valueBitsAt(e, entry)]);
        isAlive[columnAt(e, entry)] = 1;
      }
    }
    if (inRow > longestRow.count) longestRow = { row, count: inRow };
  }
  const alive = isAlive.reduce((sum, flag) => sum + flag, 0);
  return { longestRow, fullestTile, dropped, deadColumns: cols - alive, l1PerRow: rows === 0 ? 0 : l1 / rows };
}

/** Facts of a TwELL matrix for the page: its statistics in words, with the expectation for independent non-zeros. */
export function facts(e: TwellEncoded): readonly Fact[] {
  const { rows, cols, nnz, tiles, tileWidth } = e;
  if (rows === 0 || cols === 0) return [];
  const { longestRow, fullestTile, dropped, deadColumns, l1PerRow } = statistics(e);
  const capacity = capacityOf(e);
  const perRow = nnz / rows;
  return [
    perRowFact(perRow, longestRow),
    {
      label: 'non-zeros per tile row',
      value: meanInThreeDigits(nnz / (rows * tiles)),
      note: `At most ${fullestTile.count} of ${counted(capacity, 'slot')}, in row ${fullestTile.row}, tile ${fullestTile.tile}.`,
    },
    {
      label: 'odds that a row overflows',
      value: oddsText(rowOverflowProbability({ cols, width: tileWidth, capacity }, perRow)),
      note: 'For independent non-zeros. But tokens differ: of 5\u202f632 columns, 3\u202f% of the tokens with 400 non-zeros overflow, half of those with 500.',
    },
    ...(tiles > CONVERTED_TILES ? [droppedFact(tiles, dropped)] : []),
    magnitudeFact(l1PerRow, cols),
    {
      label: 'L1 term of the loss',
      value: lossText(RECOMMENDED_L1 * l1PerRow),
      note: `The sum times 2 × 10⁻⁵, as recommended. With the 3 × 10⁻⁴ of the warm-up: ${lossText(WARM_UP_L1 * l1PerRow)}, fifteen times as much (the paper says ten).`,
    },
    {
      label: 'columns without a non-zero',
      value: countText(deadColumns),
      note: `Of ${countText(cols)} neurons.`,
    },
  ];
}

/** The non-zeros that the authors' conversion to the hybrid format (listing 4) would drop. */
function droppedFact(tiles: number, dropped: number): Fact {
  const beyond = tiles - CONVERTED_TILES;
  return {
    label: `non-zeros beyond tile ${CONVERTED_TILES - 1}`,
    value: countText(dropped),
    note: `Stored here. The published conversion has a lane for ${CONVERTED_TILES} tiles and drops ${beyond === 1 ? 'the last tile' : `the last ${countText(beyond)} tiles`} of ${countText(tiles)}.`,
  };
}

/** Two significant digits: 4.5e−4. */
function lossText(value: number): string {
  if (value === 0) return '0';
  if (value >= 0.001) return value.toPrecision(2);
  return value.toExponential(1).replace('e-', 'e\u2212');
}

/** 50 %, 0.3 %, 2e-33. */
function oddsText(odds: number): string {
  if (odds === 0) return '0';
  if (odds >= 0.001) return `${(100 * odds).toPrecision(2)}\u202f%`;
  return odds.toExponential(0).replace('e-', 'e\u2212');
}
