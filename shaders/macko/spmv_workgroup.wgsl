// macko/spmv_workgroup: y = A x, a team of lanes per row, scans and sums through workgroup memory.
// Source: MACKO paper, section 4.4. Differs: a team of lanes in the place of the subgroup; four steps share one scan, so
// that a row meets few barriers; row edges masked by ordinal, so that Inf and NaN in x reach no other row.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / (WORKGROUP_SIZE / TEAM)), folded into y above 65535.  Needs: nothing.  Workgroup memory: 18 B per
//   lane.

// include common/workgroup_index.wgsl: workgroup_index
// include macko/matrix.wgsl: params, indptr, y, load_values, Gaps, load_gaps, gap_total, gap_prefix, row_scale
// include macko/products.wgsl: group_sum, edge_sum
// include common/x_global.wgsl: x_at
// include macko/team_scan.wgsl: WORKGROUP_SIZE, TEAM, team_scan, team_sum

// The entries of a row.
struct Row {
  begin: u32,
  end: u32,
}

// Without entries behind the last row.
fn row_at(row: u32) -> Row {
  return Row(indptr[min(row, params.rows)], indptr[min(row + 1u, params.rows)]);
}

// A lane's gaps in a group; none behind the row.
fn gaps_of(row: Row, group: u32) -> Gaps {
  if (8u * group >= row.end) {
    return Gaps();
  }
  return load_gaps(group, select(0u, row.begin - 8u * group, 8u * group < row.begin));
}

// A group's part of the row's sum; `passed` are the stored gaps of the row in front of it.
fn sum_of(row: Row, group: u32, gaps: Gaps, passed: u32) -> f32 {
  if (8u * group >= row.end) {
    return 0.0;
  }
  let ordinal = 8u * group - row.begin;
  if (8u * group >= row.begin && 8u * group + 8u <= row.end) {
    return group_sum(load_values(group), gap_prefix(gaps), passed + ordinal);
  }
  return edge_sum(load_values(group), gap_prefix(gaps), passed + ordinal, ordinal, row.end - row.begin);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let first_row = workgroup_index(workgroup_id, num_workgroups) * (WORKGROUP_SIZE / TEAM);
  // The teams meet at barriers: as many steps for all of them as the longest of these rows takes, four at a time.
  var steps = 0u;
  for (var i = 0u; i < WORKGROUP_SIZE / TEAM; i++) {
    let one = row_at(first_row + i);
    steps = max(steps, ((one.end + 7u) / 8u - one.begin / 8u + TEAM - 1u) / TEAM);
  }
  let row = row_at(first_row + local_index / TEAM);
  var group = row.begin / 8u + local_index % TEAM; // aligned down: the entries before the row are masked
  var passed = 0u; // stored gaps of the steps before
  var sum = 0.0;
  var turn = 0u;
  for (var step = 0u; step < steps; step += 4u) {
    let a = gaps_of(row, group);
    let b = gaps_of(row, group + TEAM);
    let c = gaps_of(row, group + 2u * TEAM);
    let d = gaps_of(row, group + 3u * TEAM);
    // Two sums of 16 bits side by side in each component.
    let totals = vec2(gap_total(a) | (gap_total(b) << 16u), gap_total(c) | (gap_total(d) << 16u));
    let scan = team_scan(totals, local_index, turn);
    let before_b = passed + (scan.total.x & 0xffffu);
    let before_c = before_b + (scan.total.x >> 16u);
    let before_d = before_c + (scan.total.y & 0xffffu);
    sum += sum_of(row, group, a, passed + (scan.before.x & 0xffffu));
    sum += sum_of(row, group + TEAM, b, before_b + (scan.before.x >> 16u));
    sum += sum_of(row, group + 2u * TEAM, c, before_c + (scan.before.y & 0xffffu));
    sum += sum_of(row, group + 3u * TEAM, d, before_d + (scan.before.y >> 16u));
    passed = before_d + (scan.total.y >> 16u);
    group += 4u * TEAM;
    turn = 1u - turn;
  }
  let total = team_sum(sum, local_index, turn);
  let own = first_row + local_index / TEAM;
  if (local_index % TEAM == 0u && own < params.rows) {
    y[own] = total * row_scale(own);
  }
}
