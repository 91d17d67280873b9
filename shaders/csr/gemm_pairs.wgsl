// csr/gemm_pairs: Y = X A^T with two tokens at a time, whose x lies side by side in workgroup memory as f16, a panel of columns at a
// time where it is too wide; an equal share of a panel's entries per subgroup. Another pass adds up panels.
// Source: Merrill and Garland 2016, merge-based SpMV; column panels as in cache-blocked SpMV (Nishtala et al. 2007).
// Differs: as csr/spmv_staged; several vectors at a time, so that a column is read once for all of them.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = workgroups that the shares were made for.  Needs: subgroups.  Workgroup memory: 4 B per column of a panel,
//   at least 24 B per share.
// Gives: part_sum.

// include common/staged_shares.wgsl: main
// include common/kept_pairs.wgsl: Sum, SHARE_WORDS, keep_sum, kept_sum
// include common/staged_pairs.wgsl: x_at, copy_x, keep_number, kept_number, store_tokens
// include csr/token_row.wgsl: params, indptr, y, entries_part, row_scale

fn part_sum(begin: u32, end: u32, passed: u32, lane: u32, lanes: u32) -> vec2<f32> {
  return subgroupAdd(entries_part(begin, end, passed, lane, lanes));
}
