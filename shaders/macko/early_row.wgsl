// macko/early_row: a row walked by one subgroup, whose first two steps are loaded before anybody can use them.
// Gives: Early, early_steps, early_sum, Walk.  Takes: Sum, edge_sum.

// include macko/matrix.wgsl: PackedEight, packed_values, unpacked_values, GapWords, load_gap_words, split_gaps, gap_total, gap_prefix
// include macko/pair_scan.wgsl: scan_pair
// include macko/row_by_subgroup.wgsl: Walk, foreign_entries, rest_sum

// The first two steps of a row as they are stored.
struct Early {
  values_a: PackedEight,
  values_b: PackedEight,
  gaps_a: GapWords,
  gaps_b: GapWords,
}

fn early_steps(begin: u32, lane: u32, lanes: u32) -> Early {
  let group = begin / 8u + lane;
  return Early(
    packed_values(group),
    packed_values(group + lanes),
    load_gap_words(group),
    load_gap_words(group + lanes),
  );
}

// The sum of a row, for all lanes of the subgroup.
fn early_sum(row: Walk, early: Early) -> Sum {
  let group = row.begin / 8u + row.lane;
  let gaps_a = split_gaps(early.gaps_a, group, foreign_entries(group, row.begin));
  let gaps_b = split_gaps(early.gaps_b, group + row.lanes, 0u);
  let scan = scan_pair(gap_total(gaps_a), gap_total(gaps_b), row.lane, row.lanes);
  let ordinal_a = 8u * group - row.begin;
  let ordinal_b = ordinal_a + 8u * row.lanes;
  let base_a = row.passed + scan.first_before + ordinal_a;
  let base_b = row.passed + scan.second_before + ordinal_b;
  var walked = row.passed + scan.total;
  let count = row.end - row.begin;
  let sum = edge_sum(unpacked_values(early.values_a), gap_prefix(gaps_a), base_a, ordinal_a, count)
    + edge_sum(unpacked_values(early.values_b), gap_prefix(gaps_b), base_b, ordinal_b, count);
  return subgroupAdd(rest_sum(row, row.begin / 8u + 2u * row.lanes, sum, &walked));
}
