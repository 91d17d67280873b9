/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'slidesparse/spmv_subgroup':
    'Not bytes: i8 takes as long as f16 with little more than half of them. Each window of a row takes four comparisons and four selections, whatever its type; nothing was left out to see what they cost.',
  'slidesparse/spmv_workgroup':
    'It reaches 0.89 to 0.96 of the speed of its twin with subgroups, from which it differs in that sums pass through workgroup memory.',
  'slidesparse/gemm':
    'It reaches 0.73 of the speed of dense, from which it differs in putting weights back into their columns while they are staged; 0.68 while there were branches around the reads.',
  'slidesparse/gemm_i8':
    'It does one multiply-add for each stored value, at the rate of dense: 0.96 of its speed with 2:4, and 0.65 with 6:8, whose windows store more values than there are non-zeros.',
  'slidesparse/spmv_natural':
    'Its metadata lie by windows and not by lanes: no more time than its twin with 2:4, and 3 to 5 % more with longer patterns, where four lanes read the same word.',
  'slidesparse/lift':
    'It takes 1.11 times as long as dense/quantise for 4:6, 1.15 times for 6:8 and 1.20 times for 14:16, since it writes more activations than it reads. What the rest waits for was not measured.',
};
