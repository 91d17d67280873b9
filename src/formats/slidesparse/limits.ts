/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'slidesparse/spmv_subgroup':
    'Instructions and loads from caches: four comparisons and four selections for each window and row, however many bytes its values take. i8 takes as long as f16 with little more than half of the bytes.',
  'slidesparse/spmv_workgroup':
    'Instructions and loads from caches, as in its twin with subgroups; sums pass through workgroup memory: 0.89 to 0.96 of its speed.',
  'slidesparse/gemm':
    'Putting weights back into their columns while they are staged: 0.73 of the speed of dense, and 0.68 while there were branches around the reads.',
  'slidesparse/gemm_i8':
    'It does one multiply-add for each stored value, at the rate of dense: 0.96 of its speed with 2:4, and 0.65 with 6:8, whose windows store more values than there are non-zeros.',
};
