import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  keepsBarriers: true,
  kept: ['words', 'counts', 'tail_map', 'tail_rows', 'running', 'list', 'list_rows', 'packed', 'hidden', 'tail'],
  standIns: { indices: anyColumn },
};
