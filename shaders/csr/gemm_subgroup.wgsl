// csr/gemm_subgroup: Y = X A^T for up to 16 tokens, one subgroup per row, with four tokens side by side in x.
// Source: Bell and Garland 2009, CSR (vector) kernel. Differs: several vectors at a time.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/tokens_by_subgroup.wgsl: main
// include csr/row_quads.wgsl: params, y, row_quads, row_scale
