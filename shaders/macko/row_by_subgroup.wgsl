// macko/row_by_subgroup: the sum of a row, or of a part of it, computed by one subgroup (prefix sums of gaps by shuffles).

// variant walk or scan: prefix sums over the lanes of a subgroup.
// Provides: inclusive_scan.

// Largest subgroup size of the device: scans shuffle no further than it requires.
override MAX_SUBGROUP_SIZE: u32 = 32u;

// A step of the scan: the value of this lane plus the value of the lane `distance` before it, if there is one.
fn add_from(value: u32, lane: u32, distance: u32) -> u32 {
  return value + select(0u, subgroupShuffleUp(value, distance), lane >= distance);
}

// The sum of `value` over this lane and all before it. By shuffles, which are faster than the built-in scan on the
// hardware that was measured (docs/performance.md).
fn inclusive_scan(value: u32, lane: u32) -> u32 {
  var sum = value;
  if (MAX_SUBGROUP_SIZE > 1u) { sum = add_from(sum, lane, 1u); }
  if (MAX_SUBGROUP_SIZE > 2u) { sum = add_from(sum, lane, 2u); }
  if (MAX_SUBGROUP_SIZE > 4u) { sum = add_from(sum, lane, 4u); }
  if (MAX_SUBGROUP_SIZE > 8u) { sum = add_from(sum, lane, 8u); }
  if (MAX_SUBGROUP_SIZE > 16u) { sum = add_from(sum, lane, 16u); }
  if (MAX_SUBGROUP_SIZE > 32u) { sum = add_from(sum, lane, 32u); }
  if (MAX_SUBGROUP_SIZE > 64u) { sum = add_from(sum, lane, 64u); }
  return sum;
}

// variant walk: a group of eight entries per lane and step.
// Column of an entry = the stored gaps of the row up to and with it, plus its ordinal (its number in the row, from 0):
// because a stored gap (the skip) is one less than the distance, the ordinals make up for all the ones. `walked`
// contains the gaps of the steps before, and for a part that begins inside the row the columns that the entries before
// it have passed. One scan by shuffles serves two steps (`scan_pair`). At the edges of the row, `edge_sum` uses the
// ordinals to select the entries that belong to the row.
// Provides: Walk, row_sum, foreign_entries, rest_sum, scan_pair.
// Requires: LARGEST_TOTAL, Sum, load_values, load_gaps, gap_total, edge_sum, gap_prefix, group_sum.

// Sums over a subgroup of the totals of two steps.
struct PairScan {
  first_before: u32, // lanes before this one, first step
  second_before: u32, // the whole first step, and the lanes before this one in the second
  total: u32, // both steps
}

// Called by all lanes of the subgroup.
fn scan_pair(first: u32, second: u32, lane: u32, lanes: u32) -> PairScan {
  if (LARGEST_TOTAL * MAX_SUBGROUP_SIZE < 65536u) {
    // Both sums fit in 16 bits, so that one scan of packed words computes both.
    let packed = first | (second << 16u);
    let scan = inclusive_scan(packed, lane);
    let before = scan - packed;
    let last = subgroupShuffle(scan, lanes - 1u);
    let first_total = last & 0xffffu;
    return PairScan(before & 0xffffu, first_total + (before >> 16u), first_total + (last >> 16u));
  }
  let first_scan = inclusive_scan(first, lane);
  let second_scan = inclusive_scan(second, lane);
  let first_total = subgroupShuffle(first_scan, lanes - 1u);
  let second_total = subgroupShuffle(second_scan, lanes - 1u);
  return PairScan(first_scan - first, first_total + second_scan - second, first_total + second_total);
}

// The entries of a row or a part of it, with the lanes that walk it.
struct Walk {
  begin: u32, // first entry
  end: u32, // past the last
  passed: u32, // columns of the row before the part
  lane: u32,
  lanes: u32,
}

// How many of the group's first entries belong to rows before: not 0 only for the group in which the row starts.
fn foreign_entries(group: u32, begin: u32) -> u32 {
  return select(0u, begin - 8u * group, 8u * group < begin);
}

// One step that may touch the row's edges: lane i multiplies group first + i.
fn edge_step(row: Walk, first: u32, walked: ptr<function, u32>) -> Sum {
  let group = first + row.lane;
  let values = load_values(group);
  let gaps = load_gaps(group, foreign_entries(group, row.begin));
  let total = gap_total(gaps);
  let scan = inclusive_scan(total, row.lane);
  let ordinal = 8u * group - row.begin;
  let base = *walked + scan - total + ordinal;
  *walked += subgroupShuffle(scan, row.lanes - 1u);
  return edge_sum(values, gap_prefix(gaps), base, ordinal, row.end - row.begin);
}

// Two steps that may touch the row's edges.
fn edge_steps(row: Walk, first: u32, walked: ptr<function, u32>) -> Sum {
  let group = first + row.lane;
  let values_a = load_values(group);
  let values_b = load_values(group + row.lanes);
  let gaps_a = load_gaps(group, foreign_entries(group, row.begin));
  let gaps_b = load_gaps(group + row.lanes, 0u);
  let scan = scan_pair(gap_total(gaps_a), gap_total(gaps_b), row.lane, row.lanes);
  let ordinal_a = 8u * group - row.begin;
  let ordinal_b = ordinal_a + 8u * row.lanes;
  let base_a = *walked + scan.first_before + ordinal_a;
  let base_b = *walked + scan.second_before + ordinal_b;
  *walked += scan.total;
  return edge_sum(values_a, gap_prefix(gaps_a), base_a, ordinal_a, row.end - row.begin)
    + edge_sum(values_b, gap_prefix(gaps_b), base_b, ordinal_b, row.end - row.begin);
}

// Two steps inside the row. A copy without tests, because tests for edges in every step cost 15 % of the time.
fn inner_steps(row: Walk, first: u32, walked: ptr<function, u32>) -> Sum {
  let group = first + row.lane;
  let values_a = load_values(group);
  let values_b = load_values(group + row.lanes);
  let gaps_a = load_gaps(group, 0u);
  let gaps_b = load_gaps(group + row.lanes, 0u);
  let scan = scan_pair(gap_total(gaps_a), gap_total(gaps_b), row.lane, row.lanes);
  let base_a = *walked + scan.first_before + 8u * group - row.begin;
  let base_b = *walked + scan.second_before + 8u * (group + row.lanes) - row.begin;
  *walked += scan.total;
  return group_sum(values_a, gap_prefix(gaps_a), base_a) + group_sum(values_b, gap_prefix(gaps_b), base_b);
}

// The sum of these entries, for all lanes of the subgroup.
fn row_sum(row: Walk) -> Sum {
  let end = row.end;
  let lanes = row.lanes;
  var walked = row.passed;
  var sum = Sum();
  var first = row.begin / 8u; // aligned down: the entries before the row are masked
  if (8u * (first + lanes) < end) { // more than one step
    sum += edge_steps(row, first, &walked);
    first += 2u * lanes;
  }
  // step: reduce
  return subgroupAdd(rest_sum(row, first, sum, &walked));
}

// This lane's sum of the entries from group `next` on, added to its sum of those before.
fn rest_sum(row: Walk, next: u32, before: Sum, walked: ptr<function, u32>) -> Sum {
  let end = row.end;
  let lanes = row.lanes;
  var first = next;
  var sum = before;
  // Four steps per iteration, so that the loads of the second two are in flight while the first two compute.
  for (; first + 4u * lanes <= end / 8u; first += 4u * lanes) {
    sum += inner_steps(row, first, walked);
    sum += inner_steps(row, first + 2u * lanes, walked);
  }
  if (first + 2u * lanes <= end / 8u) {
    sum += inner_steps(row, first, walked);
    first += 2u * lanes;
  }
  if (8u * (first + lanes) < end) {
    sum += edge_steps(row, first, walked);
  } else if (8u * first < end) {
    sum += edge_step(row, first, walked);
  }
  return sum;
}
