// bitmask/spmv_staged: y = A x, an equal share of the values per subgroup, eight values per lane and step, x in workgroup
// memory as f32.
// Source: the bitmap decoding of SpInfer, section 4. Differs: GEMV without tensor cores; lanes take values and walk the set
// bits from the first column of each eight, which is stored; shares as in Merrill and Garland's SpMV (2016).
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = workgroups that the shares were made for.  Needs: subgroups.  Workgroup memory: 4 B per column, at least
//   16 B per share.
// Provides: part_sum.

// include common/staged.wgsl#word_shares: main, WORKGROUP_SIZE, SHARES
// include common/staged_x.wgsl#share_f32: x_at, copy_x, keep_number, kept_number, Sum, SHARE_WORDS, keep_sum, kept_sum
// include bitmask/matrix.wgsl: params, mask, indptr, y, words_per_row, bits_from
// include common/row_scale.wgsl#none or #at_7: row_scale
// include bitmask/walk.wgsl: walk_values

fn part_sum(begin: u32, end: u32, row_word: u32, lane: u32, lanes: u32) -> f32 {
  // step: sum
  return subgroupAdd(walk_values(begin, end, row_word, lane, lanes));
}
