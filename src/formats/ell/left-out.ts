import { type LeftOutRules, ascendingColumn } from '../../core/kernel/left-out.ts';

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  keepsBarriers: true,
  kept: ['counts', 'running', 'hidden'],
  standIns: { indices: (e) => ascendingColumn(e).replace('place', `(place / ${e.rows}u)`) },
};
