// twell/spmv_subgroup: y = A x, one subgroup per row, neighbouring lanes on neighbouring slots.
// Source: TwELL paper, Algorithm 2. Differs: a vector of x in place of up and down projection; lanes share slots, not outputs.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/subgroup_per_row.wgsl: main
// include twell/packed_row.wgsl or twell/split_row.wgsl: params, y, row_part
