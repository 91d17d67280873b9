// macko/spmv: y = A x, several lanes per row.

// variant subgroup: one subgroup per row, x from global memory as f32 or f16.
// Source: MACKO paper, section 4.4. Differs: two steps share one scan by shuffles; entries outside the row are masked by
// their index in it, so that Inf and NaN in x reach no other row, and only in the first and the last steps of a row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.
// Provides: Sum.
enable subgroups;
// Control flow is uniform in a subgroup, since its lanes share the row, but the analysis of WGSL cannot prove it.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include common/x_global.wgsl#f32 or #f16: x_at
// include macko/products.wgsl#vector: params, indptr, y, row_scale, load_values, load_gaps, gap_total, gap_prefix,
//   LARGEST_TOTAL, group_sum, edge_sum
// include macko/row_by_subgroup.wgsl#walk: Walk, row_sum

alias Sum = f32;

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 128u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups) * (WORKGROUP_SIZE / lanes) + local_index / lanes;
  if (row >= params.rows) {
    return;
  }
  let sum = row_sum(Walk(indptr[row], indptr[row + 1u], 0u, lane, lanes));
  if (lane == 0u) {
    y[row] = sum * row_scale(row);
  }
}

// variant workgroup: a team of lanes per row, scans and sums through workgroup memory.
// Source: MACKO paper, section 4.4. Differs: a team of lanes instead of the subgroup; four steps share one scan, so
// that a row meets few barriers; entries outside the row are masked by their index in it, so that Inf and NaN in x reach
// no other row.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / (WORKGROUP_SIZE / TEAM)), folded into y above 65535.  Needs: nothing.  Workgroup memory: 18 B per
//   lane.

// include common/workgroup_index.wgsl: workgroup_index
// include common/x_global.wgsl#f32: x_at
// include macko/products.wgsl#vector: params, indptr, y, load_values, Gaps, load_gaps, gap_total, gap_prefix, row_scale,
//   group_sum, edge_sum

// Lanes per workgroup, a power of two, at least TEAM.
override WORKGROUP_SIZE: u32 = 64u;
// Lanes that share a row: 8, 16 or 32, so that the gaps of a step fit into 16 bits.
override TEAM: u32 = 16u;

// Number of sums that a lane adds up one after the other: two levels need fewer barriers than one per power of two.
const BLOCK = 8u;

// Each array has two halves that calls use alternately, so that the next call can write without a barrier.
var<workgroup> lane_values: array<vec2<u32>, 2u * WORKGROUP_SIZE>;
var<workgroup> block_values: array<vec2<u32>, 2u * WORKGROUP_SIZE / BLOCK>;

struct Scan {
  before: vec2<u32>, // sums over the lanes of the team before this one
  total: vec2<u32>, // sums over the team
}

// The prefix sum over a team, for each component. Called by all lanes of the workgroup, with `turn` 0 and 1 alternating.
fn team_scan(value: vec2<u32>, local_index: u32, turn: u32) -> Scan {
  let lanes_at = turn * WORKGROUP_SIZE;
  let blocks_at = turn * (WORKGROUP_SIZE / BLOCK);
  let block = local_index / BLOCK;
  let team_blocks = TEAM / BLOCK;
  let place = local_index % BLOCK;
  lane_values[lanes_at + local_index] = value;
  workgroupBarrier();
  var before = vec2(0u);
  var total = vec2(0u);
  for (var i = 0u; i < BLOCK; i++) {
    let lane_value = lane_values[lanes_at + block * BLOCK + i];
    before += select(vec2(0u), lane_value, i < place);
    total += lane_value;
  }
  if (place == 0u) {
    block_values[blocks_at + block] = total;
  }
  workgroupBarrier();
  // `before` and `total` are now sums within the block; the sums of the team's other blocks follow.
  total = vec2(0u);
  for (var i = 0u; i < team_blocks; i++) {
    let block_value = block_values[blocks_at + local_index / TEAM * team_blocks + i];
    before += select(vec2(0u), block_value, i < block % team_blocks);
    total += block_value;
  }
  return Scan(before, total);
}

// The sum over the team, for its first lane; called like team_scan, with the next `turn`.
fn team_sum(value: f32, local_index: u32, turn: u32) -> f32 {
  let lanes_at = turn * WORKGROUP_SIZE;
  let blocks_at = turn * (WORKGROUP_SIZE / BLOCK);
  lane_values[lanes_at + local_index].x = bitcast<u32>(value);
  workgroupBarrier();
  if (local_index % BLOCK == 0u) {
    var sum = 0.0;
    for (var i = 0u; i < BLOCK; i++) {
      sum += bitcast<f32>(lane_values[lanes_at + local_index + i].x);
    }
    block_values[blocks_at + local_index / BLOCK].x = bitcast<u32>(sum);
  }
  workgroupBarrier();
  var sum = 0.0;
  if (local_index % TEAM == 0u) {
    for (var i = 0u; i < TEAM / BLOCK; i++) {
      sum += bitcast<f32>(block_values[blocks_at + local_index / BLOCK + i].x);
    }
  }
  return sum;
}

// A group is eight entries, which a lane reads at once: group i begins with entry 8 * i. A step is one group for each lane of a
// team.

// The range of a row's entries.
struct Row {
  begin: u32,
  end: u32,
}

// The range of a row; empty past the last row.
fn row_at(row: u32) -> Row {
  return Row(indptr[min(row, params.rows)], indptr[min(row + 1u, params.rows)]);
}

// A lane's gaps in a group; none past the row.
fn gaps_of(row: Row, group: u32) -> Gaps {
  if (8u * group >= row.end) {
    return Gaps();
  }
  return load_gaps(group, select(0u, row.begin - 8u * group, 8u * group < row.begin));
}

// The part of the row's sum that a group adds. `passed` is the sum of the row's stored gaps before the group.
fn sum_of(row: Row, group: u32, gaps: Gaps, passed: u32) -> f32 {
  if (8u * group >= row.end) {
    return 0.0;
  }
  // The index in the row of the group's first entry; before the row it wraps around, which edge_sum relies on.
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
  // All teams meet at barriers, so each runs as many steps as the longest of these rows. An iteration below takes four.
  var steps = 0u;
  for (var i = 0u; i < WORKGROUP_SIZE / TEAM; i++) {
    let team_row = row_at(first_row + i);
    steps = max(steps, ((team_row.end + 7u) / 8u - team_row.begin / 8u + TEAM - 1u) / TEAM);
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
    // Each component packs two sums of 16 bits, so that one scan serves four steps.
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
  let row_index = first_row + local_index / TEAM;
  if (local_index % TEAM == 0u && row_index < params.rows) {
    y[row_index] = total * row_scale(row_index);
  }
}
