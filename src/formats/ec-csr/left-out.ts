import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  kept: ['blockPtr', 'rowIndices', 'places', 'partialPtr', 'lists', 'slots'],
  standIns: { baseIndices: anyColumn, deltaIndices: () => 'h & 0x11111111u' },
};
