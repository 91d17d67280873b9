import type { LeftOutRules } from '../../core/kernel/left-out.ts';

/** Reads that decide how long loops run are kept; a column that is not read is replaced. */
export const leftOut: LeftOutRules = {
  kept: ['indptr'],
  standIns: {
    deltas: () => '(h & 0x11111111u) + ((h >> 1u) & 0x11111111u)',
    lane_values: () => 'h & 0x00ff00ffu',
    block_values: () => 'h & 0x00ff00ffu',
  },
};
