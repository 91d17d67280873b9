// macko/gemm_workgroup: Y = X A^T for up to 16 tokens, one workgroup per row, with four tokens side by side in x.
// Source: MACKO paper, section 4.4. Differs: a workgroup in the place of the subgroup, several vectors at a time.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 24 B per lane.

// include common/tokens_by_workgroup.wgsl: main, WORKGROUP_SIZE
// include macko/quads_by_workgroup.wgsl: params, y, row_quads, row_scale
