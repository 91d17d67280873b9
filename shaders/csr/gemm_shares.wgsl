// csr/gemm_shares: Y = X A^T, two or four tokens at a time, interleaved in workgroup memory as f16; where x is too
// wide, a panel of columns at a time, which another pass adds up. A subgroup multiplies one
// segment (`share` in names) of a panel's entries; all segments are about equal in work.
// Source: Merrill and Garland 2016, merge-based SpMV; column panels as in cache-blocked SpMV (Nishtala et al. 2007).
// Differs: as csr/spmv_staged; several vectors at a time, so that a column is read once for all of them.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = workgroups that the shares were made for.  Needs: subgroups.  Workgroup memory: 2 B per token and column of a panel,
//   at least 24 B or 40 B per share.
// Provides: indptr, part_sum, params, y.

// include common/staged.wgsl#token_panel_shares: main, WORKGROUP_SIZE, SHARES
// include common/staged_x.wgsl#pairs or #fours: x_at, copy_x, keep_number, kept_number, store_tokens, Sum, SHARE_WORDS,
//   keep_sum, kept_sum
// include common/values.wgsl#f16 or #f32: load_values
// include common/indices.wgsl#16 or #32: load_indices
// include common/token_products.wgsl: eight_sum, some_sum
// include common/row_scale.wgsl#none: row_scale

struct Params {
  rows: u32,
  cols: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Where rows, or parts of them, begin, and where segments begin.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
// One per token and row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// The products of eight entries that all belong to the row.
fn inner(group: u32, passed: u32) -> Sum {
  let values = load_values(group);
  let columns = load_indices(group);
  return eight_sum(values, columns.low + passed, columns.high + passed);
}

// The products of the entries of a group from `begin` to before `end`; others of the eight count as 0.
fn edge(group: u32, begin: u32, end: u32, passed: u32) -> Sum {
  let values = load_values(group);
  let columns = load_indices(group);
  return some_sum(values, columns.low + passed, columns.high + passed, 8u * group - begin, end - begin);
}

// This lane's part of entries of one row: every `lanes`-th group of eight, counted from the group with the first entry.
// A column plus `passed`, modulo 2^32, is its position among the columns that are copied.
fn entries_part(begin: u32, end: u32, passed: u32, lane: u32, lanes: u32) -> Sum {
  var sum = Sum();
  var group = begin / 8u + lane;
  if (8u * group < begin) { // the group in which the row starts, shared with the row before
    sum = edge(group, begin, end, passed);
    group += lanes;
  }
  for (; 8u * (group + lanes) + 8u <= end; group += 2u * lanes) { // two groups, so that their loads are in flight together
    let values_a = load_values(group);
    let values_b = load_values(group + lanes);
    let columns_a = load_indices(group);
    let columns_b = load_indices(group + lanes);
    sum += eight_sum(values_a, columns_a.low + passed, columns_a.high + passed)
      + eight_sum(values_b, columns_b.low + passed, columns_b.high + passed);
  }
  if (8u * group + 8u <= end) {
    sum += inner(group, passed);
    group += lanes;
  }
  if (8u * group < end) { // the group in which it ends
    sum += edge(group, begin, end, passed);
  }
  return sum;
}

// The sum of entries of one row, for all lanes of the subgroup.
fn part_sum(begin: u32, end: u32, passed: u32, lane: u32, lanes: u32) -> Sum {
  return subgroupAdd(entries_part(begin, end, passed, lane, lanes));
}
