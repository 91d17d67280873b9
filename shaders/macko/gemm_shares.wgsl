// macko/gemm_shares: Y = X A^T, two or four tokens at a time, interleaved in workgroup memory as f16; where x is too
// wide, a panel of columns at a time, which another pass adds up. A subgroup multiplies one
// segment (`share` in names) of a panel's entries; all segments are about equal in work.
// Source: MACKO paper, section 4.4; column panels as in cache-blocked SpMV (Nishtala et al. 2007). Differs: as
// macko/spmv_staged; several vectors at a time, so that a column is found once for all of them.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = workgroups that the shares were made for.  Needs: subgroups.  Workgroup memory: 2 B per token and column of a panel,
//   at least 24 B or 40 B per share.
// Provides: part_sum.

// include common/staged.wgsl#token_panel_shares: main, WORKGROUP_SIZE, SHARES
// include common/staged_x.wgsl#pairs or #fours: x_at, copy_x, keep_number, kept_number, store_tokens, Sum, SHARE_WORDS,
//   keep_sum, kept_sum
// include macko/products.wgsl#tokens: params, indptr, y, row_scale, group_sum, edge_sum, load_values, load_gaps, gap_total,
//   gap_prefix, LARGEST_TOTAL
// include macko/row_by_subgroup.wgsl#walk: Walk, row_sum

fn part_sum(begin: u32, end: u32, passed: u32, lane: u32, lanes: u32) -> Sum {
  return row_sum(Walk(begin, end, passed, lane, lanes));
}
