// bitmask/gemm_workgroup: Y = X A^T for up to 16 tokens, one workgroup per row, with four tokens side by side in x; a value's column is
// found once for all of them.
// Source: the bitmap decoding of SpInfer, section 4. Differs: without tensor cores; lanes take values and walk the set bits from a
// column on that the host has listed.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 16 B per lane.

// include common/tokens_by_workgroup.wgsl: main
// include bitmask/row_quads.wgsl: params, y, row_quads, row_scale
