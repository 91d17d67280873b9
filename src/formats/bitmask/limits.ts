/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'bitmask/spmv_subgroup':
    'Instructions, the same number for every column at every density: eight columns per lane instead of one halved its time, from 316 to 158 µs at 12288 × 12288.',
  'bitmask/spmv_workgroup':
    'Instructions, the same number for every column at every density, and sums through workgroup memory: 171 µs where its twin with subgroups takes 158.',
};
