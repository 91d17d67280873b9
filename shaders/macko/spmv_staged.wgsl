// macko/spmv_staged: y = A x, an equal share of the entries per subgroup, x in workgroup memory. This file joins its
// pieces: `main` and the shares are in common/staged, the loop over a row in macko/row_by_subgroup, eight entries times
// x in macko/products.
// Three kernels: macko/spmv_staged (x as f32), macko/spmv_staged_x16 (x as f16), and macko/spmv_panels for an x that is
// too wide: the columns are divided into panels, a workgroup copies the x of one panel (as f32), one dispatch has all
// panels, and common/sum_panels adds up their sums.
// Source: MACKO paper, section 4.4; column panels as in cache-blocked SpMV (Nishtala et al. 2007). Differs: x in
// workgroup memory, where reading scattered elements needs fewer cycles than in the cache; shares instead of rows, as
// in Merrill and Garland's merge-based SpMV (2016), so that no subgroup waits for a long row; two steps share one scan
// (macko/row_by_subgroup); entries of other rows count as 0 (macko/products); panels split rows on the host, and rows
// keep their order in memory.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = workgroups that the shares were made for. This x is the first dimension of the dispatch.
// Needs: subgroups.  Workgroup memory: 4 B or 2 B per column that is copied, at least 16 B per share.
// Provides: part_sum.

// The plan of a kernel chooses one of the variants (#) of a line; the names after the colon come from it.
// include common/staged.wgsl#shares or #panel_shares: main, WORKGROUP_SIZE, SHARES
// include common/staged_x.wgsl#share_f32 or #share_f16: x_at, copy_x, keep_number, kept_number, Sum, SHARE_WORDS, keep_sum,
//   kept_sum
// include macko/products.wgsl#vector: params, indptr, y, row_scale, group_sum, edge_sum, load_values, load_gaps, gap_total,
//   gap_prefix, LARGEST_TOTAL
// include macko/row_by_subgroup.wgsl#walk: Walk, row_sum

fn part_sum(begin: u32, end: u32, passed: u32, lane: u32, lanes: u32) -> f32 {
  return row_sum(Walk(begin, end, passed, lane, lanes));
}
