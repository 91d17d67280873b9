// macko/spmv_panels: y = A x where x is too wide for workgroup memory: panels of columns, whose x fits, one after the
// other; an equal share of a panel's entries per subgroup. Another pass adds up what the panels leave.
// Source: MACKO paper, section 4.4; column panels as in cache-blocked SpMV (Nishtala et al. 2007). Differs: as
// macko/spmv_staged; rows are cut at panels by the host, and keep their order in memory.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = workgroups that the shares were made for.  Needs: subgroups.  Workgroup memory: 4 B per column of a panel,
//   at least 16 B per share.
// Gives: part_sum.

// include common/staged_shares.wgsl: main, WORKGROUP_SIZE, SHARES
// include common/staged_x.wgsl: x_at, copy_x, keep_number, kept_number
// include macko/matrix.wgsl: params, indptr, y, row_scale
// include common/kept_ones.wgsl: Sum, SHARE_WORDS, keep_sum, kept_sum
// include macko/products.wgsl: group_sum, edge_sum
// include macko/row_by_subgroup.wgsl: Walk, row_sum

fn part_sum(begin: u32, end: u32, passed: u32, lane: u32, lanes: u32) -> f32 {
  return row_sum(Walk(begin, end, passed, lane, lanes));
}
