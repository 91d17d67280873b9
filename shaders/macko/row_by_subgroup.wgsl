// macko/row_by_subgroup: a row walked by one subgroup, eight entries per lane and step.
// Gives: row_sum.  Takes: load_values, load_gaps, gap_total, gap_prefix, group_sum, edge_sum, inclusive_scan.
//
// Column of an entry = the stored gaps of the row up to and with it, plus its ordinal in the row: because a stored gap
// is one less than the distance, the ordinals make up for all the ones. `carry` holds the gaps of the steps before.

// One step that may touch the row's edges: lane i takes group first + i.
fn edge_step(first: u32, lane: u32, lanes: u32, begin: u32, end: u32, carry: ptr<function, u32>) -> f32 {
  let group = first + lane;
  let gaps = load_gaps(group, select(0u, begin - 8u * group, 8u * group < begin));
  let total = gap_total(gaps);
  let scan = inclusive_scan(total, lane);
  let ordinal = 8u * group - begin;
  let sum = edge_sum(load_values(group), gap_prefix(gaps), *carry + scan - total + ordinal, ordinal, end - begin);
  *carry += subgroupShuffle(scan, lanes - 1u);
  return sum;
}

// One step inside the row.
fn inner_step(first: u32, lane: u32, lanes: u32, begin: u32, carry: ptr<function, u32>) -> f32 {
  let group = first + lane;
  let values = load_values(group);
  let gaps = load_gaps(group, 0u);
  let total = gap_total(gaps);
  let scan = inclusive_scan(total, lane);
  let sum = group_sum(values, gap_prefix(gaps), *carry + scan - total + 8u * group - begin);
  *carry += subgroupShuffle(scan, lanes - 1u);
  return sum;
}

// This lane's part of the row; the subgroup's sum of it is the row's.
fn row_sum(row: u32, lane: u32, lanes: u32) -> f32 {
  let begin = indptr[row];
  let end = indptr[row + 1u];
  if (begin == end) {
    return 0.0;
  }
  var carry = 0u;
  var first = begin / 8u; // aligned down: the entries before the row are masked
  var sum = edge_step(first, lane, lanes, begin, end, &carry);
  first += lanes;
  for (; first + lanes <= end / 8u; first += lanes) {
    sum += inner_step(first, lane, lanes, begin, &carry);
  }
  if (8u * first < end) {
    sum += edge_step(first, lane, lanes, begin, end, &carry);
  }
  return sum;
}
