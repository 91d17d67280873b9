/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'ec-csr/spmv_subgroup':
    'The work per block and per delta, not memory: of 15.6 µs at 4096 × 4096, 12 remained when neither values nor x were read, and 13.2 when all gathers touched one line.',
  'ec-csr/spmv_workgroup':
    'As its twin with subgroups, presumably the work per block and per delta: nothing was left out of this one, whose sums pass through workgroup memory.',
  'ec-csr/spmv_compare_and_swap':
    'As the kernel with subgroups, presumably the work per block and per delta: nothing was left out of this one, in which lanes add to shared rows one after the other.',
};
