import bitmap from './starters/bitmap.js?raw';
import coo from './starters/coo.js?raw';
import csr from './starters/csr.js?raw';
import csrKernel from './starters/csr.wgsl?raw';
import deltas from './starters/deltas.js?raw';
import deltasKernel from './starters/deltas.wgsl?raw';
import dia from './starters/dia.js?raw';
import dictionary from './starters/dictionary.js?raw';
import dictionaryKernel from './starters/dictionary.wgsl?raw';
import hyb from './starters/hyb.js?raw';
import runs from './starters/runs.js?raw';
import sell from './starters/sell.js?raw';
import sellKernel from './starters/sell.wgsl?raw';

/** A starter: the complete module of a well-known format, which the user can change into another format. */
export interface Starter {
  readonly id: string;
  /** as the module declares it */
  readonly title: string;
  /** what the format stores, in one line */
  readonly gist: string;
  readonly text: string;
  /** a WGSL kernel for y = A x on the format's arrays; null if there is none */
  readonly kernel: string | null;
}

/** All starters, in an order in which each builds on earlier ones. */
export const STARTERS: readonly Starter[] = [
  { id: 'coo', title: 'COO', gist: 'Each non-zero with row and column.', text: coo, kernel: null },
  { id: 'csr', title: 'CSR', gist: 'Non-zeros with columns, and where rows start.', text: csr, kernel: csrKernel },
  { id: 'dia', title: 'DIA', gist: 'Every diagonal with a non-zero, whole.', text: dia, kernel: null },
  { id: 'sell', title: 'SELL-C-σ', gist: 'Rows sorted by length, padded in chunks.', text: sell, kernel: sellKernel },
  { id: 'hyb', title: 'HYB', gist: 'A few slots a row, a list for the rest.', text: hyb, kernel: null },
  { id: 'deltas', title: 'delta bytes', gist: 'Columns to skip, in a few bits.', text: deltas, kernel: deltasKernel },
  { id: 'runs', title: 'run lengths', gist: 'Runs of zeros and of non-zeros.', text: runs, kernel: null },
  { id: 'bitmap', title: 'bitmap blocks', gist: 'Blocks of 8 × 8, a bit a cell.', text: bitmap, kernel: null },
  {
    id: 'dictionary',
    title: 'dictionary of 16',
    gist: 'Values as codes of 4 bits.',
    text: dictionary,
    kernel: dictionaryKernel,
  },
];
