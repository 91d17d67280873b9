import type { KernelLimit } from '../../core/kernel/limit.ts';
import type { LeftOutRules } from '../../core/kernel/left-out.ts';

/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, KernelLimit>> = {
  'macko/spmv_staged': {
    says: 'No part alone: of 54.2 µs at 12288 × 12288 and density 0.5, 43.2 remain without gaps, 45.6 without values, 50.7 without reading x, 53.9 without the scan. It reaches 77 % of the read speed; what keeps it from the rest is not known.',
    known: 'parts left out',
  },
  'macko/spmv_staged_x16': {
    says: 'It reaches 0.89 to 0.95 of the speed of its twin with x in f32, from which it differs in unpacking every x, for half of the workgroup memory.',
    known: 'comparison',
  },
  'macko/spmv_rows': {
    says: 'Loads of a row that wait for others of it: at 4096 × 4096 and density 0.1 its first two steps are there after 4.2 of 5.6 µs, and leaving out scan and x saves 0.1. An empty dispatch takes 1.5.',
    known: 'parts left out',
  },
  'macko/spmv_subgroup': {
    says: 'Reading x from caches, and whole rows: 63.7 µs at 12288 × 12288 and density 0.5, where the staged kernel took 53.9. Which of both it is was not measured.',
    known: 'not shown',
  },
  'macko/spmv_subgroup_x16': {
    says: 'With x in f16, caches hold twice as much of it: 60.4 instead of 63.7 µs at 12288 × 12288 and density 0.5. What the rest waits for was not measured.',
    known: 'not shown',
  },
  'macko/spmv_workgroup': {
    says: 'About half of the speed of its twin with subgroups, from which it differs in that its scan of column gaps goes through workgroup memory, with barriers.',
    known: 'comparison',
  },
  'macko/spmv_panels': {
    says: 'What limits macko/spmv_staged, and a second pass that adds up what the panels leave: 59.1 instead of 53.4 µs where one panel is enough, at 12288 × 12288 and density 0.5.',
    known: 'comparison',
  },
  'macko/gemm_subgroup': {
    says: 'By counting, the gather: at 12288 × 12288, density 0.5 and four tokens, finding x at random places of 16 bytes takes 100 of 138 µs. Nothing was left out to see whether that is so.',
    known: 'count',
  },
  'macko/gemm_subgroup_x16': {
    says: 'By counting, the gather: at 12288 × 12288, density 0.5 and four tokens, finding x at random places of 8 bytes takes 59 of 110 µs. Nothing was left out to see whether that is so.',
    known: 'count',
  },
  'macko/convert': {
    says: 'Writing values and gaps: 797 of 1004 µs at 12288 × 12288 and density 0.5, of which searching closer to what is looked for saves 100. From cells that lie on the device it takes a three hundredth of what encoding on the CPU and uploading take, from cells that have to be uploaded first two thirds.',
    known: 'comparison',
  },
};

/** How long its loops run is not left out; columns that are not read are some column. */
export const leftOut: LeftOutRules = {
  kept: ['indptr'],
  standIns: {
    deltas: () => '(h & 0x11111111u) + ((h >> 1u) & 0x11111111u)',
    lane_values: () => 'h & 0x00ff00ffu',
    block_values: () => 'h & 0x00ff00ffu',
  },
};
