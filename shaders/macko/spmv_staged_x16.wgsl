// macko/spmv_staged_x16: y = A x, an equal share of the entries per subgroup, x in workgroup memory as f16.
// Source: MACKO paper, section 4.4. Differs: x in workgroup memory, where a gather takes fewer turns than in the cache;
// shares instead of rows, as in Merrill and Garland's merge-based SpMV (2016), so that no subgroup waits for a long row;
// two steps share one scan by shuffles; row edges masked by ordinal, so that Inf and NaN in x reach no other row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = workgroups that the shares were made for.  Needs: subgroups.  Workgroup memory: 2 B per column, at least
//   16 B per share.
// Gives: part_sum.

// include common/staged_shares.wgsl: main, WORKGROUP_SIZE, SHARES
// include common/staged_x16.wgsl: x_at, copy_x, keep_number, kept_number
// include macko/matrix.wgsl: params, indptr, y, row_scale
// include common/kept_ones.wgsl: Sum, SHARE_WORDS, keep_sum, kept_sum
// include macko/products.wgsl: group_sum, edge_sum
// include macko/row_by_subgroup.wgsl: Walk, row_sum

fn part_sum(begin: u32, end: u32, passed: u32, lane: u32, lanes: u32) -> f32 {
  return row_sum(Walk(begin, end, passed, lane, lanes));
}
