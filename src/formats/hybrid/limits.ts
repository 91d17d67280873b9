import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** How long its loops run is not left out; columns that are not read are some column. */
export const leftOut: LeftOutRules = {
  keepsBarriers: true,
  kept: ['words', 'counts', 'tail_map', 'tail_rows', 'running', 'list', 'list_rows', 'packed', 'hidden', 'tail'],
  standIns: { indices: anyColumn },
};
