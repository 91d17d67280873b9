/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'ell/spmv_scalar':
    'A lane for each row is too few lanes to hide how long memory takes to answer: 4096 rows reach 4 % of the read speed.',
};
