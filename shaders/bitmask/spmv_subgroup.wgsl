// bitmask/spmv_subgroup: y = A x, one subgroup per row, eight values per lane and step, x where it lies.
// Source: the bitmap decoding of SpInfer, section 4. Differs: GEMV without tensor cores; lanes take values and walk the set
// bits from a column on that the host has listed.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/subgroup_per_row.wgsl: main
// include bitmask/row.wgsl: params, y, row_part
// include common/x_global.wgsl: x_at
