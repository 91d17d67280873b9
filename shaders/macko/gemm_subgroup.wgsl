// macko/gemm_subgroup: Y = X A^T for up to 16 tokens, one subgroup per row, with four tokens side by side in x.
// Source: MACKO paper, section 4.4. Differs: several vectors at a time, so that a column is found once for all of them.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/tokens_by_subgroup.wgsl: main
// include macko/quads_by_subgroup.wgsl: params, y, row_quads, row_scale
