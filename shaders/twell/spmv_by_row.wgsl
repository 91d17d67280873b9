// twell/spmv_by_row: y = A x, several lanes per row, neighbouring lanes on neighbouring slots.
// Source: TwELL paper, Algorithm 2. Differs: one product with a vector x instead of two projections; several lanes share a row.

// include twell/packed_row.wgsl or twell/split_row.wgsl: params, y, row_part

// variant subgroup: one subgroup per row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/spmv_by_row.wgsl#subgroup: main

// variant workgroup: one workgroup per row.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

// include common/spmv_by_row.wgsl#workgroup: main
