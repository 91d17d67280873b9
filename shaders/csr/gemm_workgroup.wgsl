// csr/gemm_workgroup: Y = X A^T for up to 16 tokens, one workgroup per row, with four tokens side by side in x.
// Source: Bell and Garland 2009, CSR (vector) kernel. Differs: a workgroup in the place of the subgroup, several vectors at a time.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 16 B per lane.

// include common/tokens_by_workgroup.wgsl: main
// include csr/row_quads.wgsl: params, y, row_quads, row_scale
