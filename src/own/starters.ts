import bitmap from './starters/bitmap.js?raw';
import coo from './starters/coo.js?raw';
import csr from './starters/csr.js?raw';
import deltas from './starters/deltas.js?raw';
import dia from './starters/dia.js?raw';
import dictionary from './starters/dictionary.js?raw';
import hyb from './starters/hyb.js?raw';
import runs from './starters/runs.js?raw';
import sell from './starters/sell.js?raw';

/** A format to begin with: a complete module, as its author would write it. */
export interface Starter {
  readonly id: string;
  /** as its module says */
  readonly title: string;
  /** one sentence: what it does */
  readonly gist: string;
  readonly text: string;
}

/** In the order in which they build on each other. */
export const STARTERS: readonly Starter[] = [
  { id: 'coo', title: 'COO', gist: 'Each non-zero with its row and its column.', text: coo },
  { id: 'csr', title: 'CSR', gist: 'Each non-zero with its column, and where rows start.', text: csr },
  { id: 'dia', title: 'DIA', gist: 'Every diagonal that holds a non-zero, whole.', text: dia },
  { id: 'sell', title: 'SELL-C-σ', gist: 'Rows sorted by length, padded in chunks.', text: sell },
  { id: 'hyb', title: 'HYB', gist: 'A few slots for every row, and a list for the rest.', text: hyb },
  { id: 'deltas', title: 'delta bytes', gist: 'How many columns to skip, in a few bits.', text: deltas },
  { id: 'runs', title: 'run lengths', gist: 'So many zeros, then so many non-zeros.', text: runs },
  { id: 'bitmap', title: 'bitmap blocks', gist: 'Blocks of 8 × 8 cells, a bit for each cell.', text: bitmap },
  { id: 'dictionary', title: 'dictionary of 16', gist: 'Values as codes of 4 bits.', text: dictionary },
];
