import type { KernelLimit } from '../../core/kernel/limit.ts';
import { type LeftOutRules, anyColumn } from '../../core/kernel/left-out.ts';

/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'twell/gate': {
    says: 'The product, not the packing: the same tile without packing takes as long (0.995). It takes 1.03 times as long as dense/gate, whose tile is 128 × 128 instead of 64 × 256.',
    known: 'comparison',
  },
  'twell/gate_converted': {
    says: 'The product: with a pass of its own for packing it takes 1.04 times as long as dense/gate, and 1.03 times with the packing in the tile.',
    known: 'comparison',
  },
};

/** How long its loops run is not left out; columns that are not read are some column. */
export const leftOut: LeftOutRules = {
  keepsBarriers: true,
  kept: ['words', 'counts', 'running', 'list_columns', 'overflow', 'entries', 'hidden'],
  standIns: { indices: anyColumn },
};
