/** What takes the time that bytes and arithmetic do not, on an NVIDIA H200 (docs/performance.md). By kernel. */
export const limits: Readonly<Record<string, string>> = {
  'ell/spmv_scalar':
    'A lane for each row: 4096 rows reach 4 % of the read speed. That more lanes to a row would be faster is likely, and was not tried.',
};
