// csr/spmv_staged: y = A x, an equal share of the entries per subgroup, x in workgroup memory as f32.
// Source: Merrill and Garland 2016, merge-based SpMV. Differs: whole rows to a workgroup, shares made by the host, no
// second pass; x in workgroup memory; 16-byte loads that start before a row and mask its edges.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = workgroups that the shares were made for.  Needs: subgroups.  Workgroup memory: 4 B per column, at least
//   16 B per share.
// Provides: part_sum.

// include common/staged.wgsl#shares: main, WORKGROUP_SIZE, SHARES
// include common/staged_x.wgsl#share_f32: x_at, copy_x, keep_number, kept_number, Sum, SHARE_WORDS, keep_sum, kept_sum
// include csr/row.wgsl: params, indptr, y, entries_part
// include common/row_scale.wgsl#none: row_scale

fn part_sum(begin: u32, end: u32, _passed: u32, lane: u32, lanes: u32) -> f32 {
  return subgroupAdd(entries_part(begin, end, lane, lanes));
}
