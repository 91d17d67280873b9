// bitmask/gemm_subgroup_x16: Y = X A^T for up to 16 tokens, one subgroup per row, with four tokens side by side in x, as f16; a value's
// column is found once for all of them.
// Source: the bitmap decoding of SpInfer, section 4. Differs: without tensor cores; lanes take values and walk the set bits from a
// column on that the host has listed.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/tokens_by_subgroup.wgsl: main
// include bitmask/row_quads.wgsl: params, y, row_quads, row_scale
