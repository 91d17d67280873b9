/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'csr/spmv_staged':
    'Gathers of x from workgroup memory: random columns collide on its banks, about 3.5 turns for 32 lanes.',
  'csr/spmv_subgroup': 'Memory: each non-zero brings an index, and the rows are long enough to keep loads under way.',
  'csr/spmv_workgroup': 'Memory: it reaches about 80 % of the read speed, as dense does on the same matrix.',
  'csr/spmv_scalar':
    'A lane for each row is too few lanes to hide how long memory takes to answer, and neighbouring lanes read far apart.',
};
