import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  keepsBarriers: true,
  kept: ['words', 'counts', 'running', 'list_columns', 'overflow', 'entries', 'hidden'],
  standIns: { indices: anyColumn },
};
