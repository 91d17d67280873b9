// macko/quads_by_subgroup: what one lane adds up of a row for several tokens, eight entries at a time; gaps are added up over a subgroup.
// Gives: params, y, row_quads, row_scale.

// include macko/tokens_matrix.wgsl: params, indptr, y, load_values, load_gaps, gap_total, gap_prefix, row_scale
// include common/token_quads.wgsl: Quads, add_eight, add_some
// include common/subgroup_scan.wgsl: inclusive_scan

// This lane's part of a row. Column of an entry: the stored gaps of the row up to and with it, plus its ordinal in the row.
fn row_quads(row: u32, lane: u32, lanes: u32) -> Quads {
  let begin = indptr[row];
  let end = indptr[row + 1u];
  var sums = Quads();
  var walked = 0u; // stored gaps of the steps before
  for (var first = begin / 8u; 8u * first < end; first += lanes) {
    let group = first + lane;
    let values = load_values(group);
    let gaps = load_gaps(group, select(0u, begin - 8u * group, 8u * group < begin));
    let total = gap_total(gaps);
    let scan = inclusive_scan(total, lane);
    let ordinal = 8u * group - begin;
    let base = walked + scan - total + ordinal;
    walked += subgroupShuffle(scan, lanes - 1u);
    let prefix = gap_prefix(gaps);
    if (8u * group >= begin && 8u * group + 8u <= end) {
      add_eight(&sums, values, prefix.low + base, prefix.high + base);
    } else {
      add_some(&sums, values, prefix.low + base, prefix.high + base, ordinal, end - begin);
    }
  }
  return sums;
}
