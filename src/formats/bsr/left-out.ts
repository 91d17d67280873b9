import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = { kept: ['indptr'], standIns: { indices: (e) => `(${anyColumn(e)}) / 16u` } };
