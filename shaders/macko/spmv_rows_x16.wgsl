// macko/spmv_rows_x16: y = A x, one subgroup per row, x in workgroup memory as f16.
// Source: MACKO paper, section 4.4. Differs: x in workgroup memory, where a gather takes fewer turns than in the cache; two
// steps share one scan by shuffles; row edges masked by ordinal, so that Inf and NaN in x reach no other row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 2 B per
//   column.
// Gives: part_sum.

// include common/staged_rows.wgsl: main, WORKGROUP_SIZE, SHARES
// include common/staged_x16.wgsl: copy_x, x_at
// include macko/matrix.wgsl: params, indptr, y, row_scale
// include common/one_sum.wgsl: Sum
// include macko/products.wgsl: group_sum, edge_sum
// include macko/early_row.wgsl: Early, early_steps, early_sum, Walk

fn part_sum(begin: u32, end: u32, early: Early, lane: u32, lanes: u32) -> f32 {
  return early_sum(Walk(begin, end, 0u, lane, lanes), early);
}
