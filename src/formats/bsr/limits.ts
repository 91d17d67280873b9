/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'bsr/spmv_subgroup':
    'With lanes for two turns per block row instead of 64, blocks of 16 went from 47 to 24 µs at 12288 × 12288. What the rest waits for no experiment has shown; a lane needs a block’s index before it can read x.',
  'bsr/spmv_workgroup':
    'Blocks of 16 × 16 reach 56 % of the read speed. What the rest waits for no experiment has shown.',
};
