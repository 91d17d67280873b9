import { FIRST_LOOK, type Highlight, type RowColumns } from '../../core/highlight.ts';
import { type MackoParams, reachOf } from './params.ts';

/** Ordinary weights that are seen before the long skip. */
const ORDINARY = 3;

/** The skip of a row that takes most stored zeros, or else its longest one. */
export function highlight([row]: readonly RowColumns[], _: unknown, { deltaBits }: MackoParams): Highlight | null {
  const reach = reachOf(deltaBits);
  /** of as many stored zeros as a cut has room for, behind enough weights */
  const max = (ORDINARY + 1) * Math.floor((FIRST_LOOK.cols - 1) / reach) + ORDINARY;
  let best: Highlight | null = null;
  for (let i = 0; i < row.length; i++) {
    const skipped = i === 0 ? row[0] : row[i] - row[i - 1] - 1;
    const zeros = Math.floor(skipped / reach);
    // With no more of them this is not better, however much is seen before it.
    if (best && (zeros > 0 ? (ORDINARY + 1) * (zeros + 1) : skipped / reach) <= best.amount) continue;
    let first = i;
    while (first > 0 && i - first < ORDINARY && row[i] - row[first - 1] < FIRST_LOOK.cols) first--;
    if (first === i && row[i] >= FIRST_LOOK.cols) continue;
    const amount = zeros > 0 ? (ORDINARY + 1) * zeros + i - first : skipped / reach;
    if (best && amount <= best.amount) continue;
    // From behind the weight before on, so that the first skip of the cut is that of the matrix.
    const behind = first === 0 ? 0 : row[first - 1] + 1;
    const from = row[i] - behind < FIRST_LOOK.cols ? behind : row[first];
    const isMost = zeros > 0 && amount === max;
    best = { from, to: row[i], amount: isMost ? Number.POSITIVE_INFINITY : amount, happens: zeros > 0 };
    if (isMost) break;
  }
  return best;
}
