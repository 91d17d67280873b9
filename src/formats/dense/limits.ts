/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'dense/spmv_subgroup':
    'Small matrices end before enough loads are under way: 4096 × 4096 reaches 67 % of the read speed, 12288 × 12288 96 %, by the same kernel.',
  'dense/spmv_workgroup':
    'Sums that are exchanged through workgroup memory instead of between the lanes of a subgroup: 0.84 to 0.96 of the speed of its twin with subgroups, the less the smaller the matrix.',
  'dense/gemm_few':
    'Reads of x from caches and sums for each token beside the weights: 24 µs for one token, 28 for four, 52 for eight at 4096 × 11008; every eight more are another turn over the weights.',
  'dense/gemm':
    'Staging through workgroup memory between the multiply-adds, and tiles that are not full: 56 % of the peak at 2048 tokens. With few tokens most of a tile is empty.',
  'dense/gemm_split':
    'As in the tiles of dense/gemm, with a second pass that adds the parts: 51 to 56 % of the peak from 64 tokens on.',
  'dense/gemm_i8':
    'Staging through workgroup memory, the quantising pass and the scales: it reaches 74 % of the dot products that the device makes when it does nothing else.',
};
