// macko/spmv_rows: y = A x, one subgroup per row, x in workgroup memory as f32 or f16.
// Source: MACKO paper, section 4.4. Differs: x in workgroup memory, where reading scattered elements needs fewer
// cycles than in the cache; two steps share one scan (macko/row_by_subgroup); entries of other rows count as 0.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 4 B or
//   2 B per column.
// Provides: early_steps, part_sum.

// include common/staged.wgsl#rows: main, WORKGROUP_SIZE, SHARES
// include common/staged_x.wgsl#f32 or #f16: copy_x, x_at, Sum
// include macko/products.wgsl#vector: params, indptr, y, row_scale, group_sum, edge_sum, PackedEight, packed_values,
//   unpacked_values, GapWords, load_gap_words, split_gaps, gap_total, gap_prefix, load_values, load_gaps, LARGEST_TOTAL
// include macko/row_by_subgroup.wgsl#walk: Walk, foreign_entries, rest_sum, scan_pair, inclusive_scan

// Number of steps (eight entries per lane) loaded before x is: 2, 3 or 4. More loads are in flight together, but need registers.
override EARLY_STEPS: u32 = 2u;

// The stored values and gaps of a step.
struct Step {
  values: PackedEight,
  gaps: GapWords,
}

// The first steps of a row; those beyond EARLY_STEPS are empty.
struct Early {
  a: Step,
  b: Step,
  c: Step,
  d: Step,
}

fn load_step(group: u32) -> Step {
  return Step(packed_values(group), load_gap_words(group));
}

fn early_steps(begin: u32, lane: u32, lanes: u32) -> Early {
  let group = begin / 8u + lane;
  var early = Early();
  early.a = load_step(group);
  early.b = load_step(group + lanes);
  if (EARLY_STEPS > 2u) {
    early.c = load_step(group + 2u * lanes);
  }
  if (EARLY_STEPS > 3u) {
    early.d = load_step(group + 3u * lanes);
  }
  return early;
}

// Two steps that may touch the row's edges: lane i has group first + i of one, and group first + lanes + i of the other.
fn early_pair(row: Walk, first: u32, a: Step, b: Step, walked: ptr<function, u32>) -> Sum {
  let group = first + row.lane;
  let gaps_a = split_gaps(a.gaps, group, foreign_entries(group, row.begin));
  let gaps_b = split_gaps(b.gaps, group + row.lanes, 0u);
  let scan = scan_pair(gap_total(gaps_a), gap_total(gaps_b), row.lane, row.lanes);
  let ordinal_a = 8u * group - row.begin;
  let ordinal_b = ordinal_a + 8u * row.lanes;
  let base_a = *walked + scan.first_before + ordinal_a;
  let base_b = *walked + scan.second_before + ordinal_b;
  *walked += scan.total;
  let count = row.end - row.begin;
  return edge_sum(unpacked_values(a.values), gap_prefix(gaps_a), base_a, ordinal_a, count)
    + edge_sum(unpacked_values(b.values), gap_prefix(gaps_b), base_b, ordinal_b, count);
}

// One step after the first, which may touch the row's end.
fn early_step(row: Walk, first: u32, step: Step, walked: ptr<function, u32>) -> Sum {
  let group = first + row.lane;
  let gaps = split_gaps(step.gaps, group, 0u);
  let total = gap_total(gaps);
  let scan = inclusive_scan(total, row.lane);
  let ordinal = 8u * group - row.begin;
  let base = *walked + scan - total + ordinal;
  *walked += subgroupShuffle(scan, row.lanes - 1u);
  return edge_sum(unpacked_values(step.values), gap_prefix(gaps), base, ordinal, row.end - row.begin);
}

// The sum of a row, for all lanes of the subgroup.
fn early_sum(row: Walk, early: Early) -> Sum {
  var walked = row.passed;
  var next = row.begin / 8u;
  var sum = early_pair(row, next, early.a, early.b, &walked);
  next += 2u * row.lanes;
  if (EARLY_STEPS > 2u && 8u * next < row.end) {
    if (EARLY_STEPS > 3u) {
      sum += early_pair(row, next, early.c, early.d, &walked);
    } else {
      sum += early_step(row, next, early.c, &walked);
    }
    next += (EARLY_STEPS - 2u) * row.lanes;
  }
  return subgroupAdd(rest_sum(row, next, sum, &walked));
}

fn part_sum(begin: u32, end: u32, early: Early, lane: u32, lanes: u32) -> f32 {
  return early_sum(Walk(begin, end, 0u, lane, lanes), early);
}
