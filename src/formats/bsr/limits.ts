/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'bsr/spmv_subgroup':
    'Waiting: a lane needs a block’s index before it can read x. With lanes for two turns per block row instead of 64, blocks of 16 went from 47 to 24 µs at 12288 × 12288.',
  'bsr/spmv_workgroup':
    'Waiting: a lane needs a block’s index before it can read x; 16 × 16 blocks reach 56 % of the read speed.',
};
