import { anyColumn, type LeftOutRules } from '../../core/kernel/left-out.ts';
import { NARROW_COLUMNS } from './group-columns.ts';

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  kept: ['indptr'],
  standIns: { group_columns: (e) => (e.cols > NARROW_COLUMNS ? anyColumn(e) : `(${anyColumn(e)}) * 0x10001u`) },
};
