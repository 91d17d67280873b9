// hybrid/spmv_subgroup: y = A x, one subgroup per row, from its slots or from the dense tail.
// Source: TwELL paper, Algorithm 3. Differs: a vector x, and one pass over both parts in the order of the rows.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/subgroup_per_row.wgsl: main
// include hybrid/row.wgsl: params, y, row_part
