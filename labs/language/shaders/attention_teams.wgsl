// language/attention_teams: attention of one token. A team of lanes handles one position at a time, multiplies its key,
// adds its value, and keeps its own largest score, so that teams wait for each other only at the end. The key and value
// of its next position are loaded meanwhile. Tiles of positions, one for each team, go to the spans in rotation.
// Source: FlashAttention, algorithm 1, and Flash-Decoding: partial sums are merged by their largest scores. Differs: one query,
// and a position to a team.
// Lanes: a power of two, at least a subgroup, of any power-of-two size of at least PARTS. A lane has 16 columns.
// Dispatch: x = heads of queries, z = SPANS.  Needs: subgroups.
// Workgroup memory: 4 B per lane, 96 B * FOURS, (16 B * FOURS + 8 B) * SUBGROUPS.
enable subgroups;
// All lanes of a subgroup stay together, since they share their bounds; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include language/reductions.wgsl#subgroup: WORKGROUP_SIZE
// include language/late_scale.wgsl#none or #at_7: load_stream, find_late_scale
// include language/heads.wgsl: HEAD_DIM, FOURS, CONTEXT, GROUP, BLOCK, NO_SCORE, state, keys, values,
//   key_place, value_place, Four, own_four, scaled, keep_key, keep_value

// Lanes of a team, a power of two, at least a quarter of FOURS.
override PARTS: u32 = 1u;
// Subgroups of a workgroup at most.
override SUBGROUPS: u32 = 1u;
// Spans of positions. merge.wgsl merges the results of several spans.
override SPANS: u32 = 1u;
// Scale of the scores: the factor of the products of queries and keys.
override SCALE: f32 = 1.0;

// For every head the weighted sum of values; with several spans, for each this sum, the largest score, and the sum of weights.
@group(0) @binding(6) var<storage, read_write> gathered: array<f32>;

// The token's query (from 0), key (from FOURS) and value (from 2 * FOURS), four columns each.
var<workgroup> own: array<Four, 3u * FOURS>;
// For every subgroup its largest score, weighted sum of values, at [subgroup * FOURS + column / 4], and sum of weights; the sums
// stay 0 without positions.
var<workgroup> subgroup_largest: array<f32, SUBGROUPS>;
var<workgroup> subgroup_sums: array<vec4<f32>, SUBGROUPS * FOURS>;
var<workgroup> subgroup_totals: array<f32, SUBGROUPS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let head = group.x;
  let kv_head = head / GROUP;
  let bits = firstTrailingBit(lanes);
  // All lanes of a subgroup have the same number; the broadcast lets the compiler see that.
  let subgroup = subgroupBroadcastFirst(local_index >> bits);
  // Neighbouring lanes take neighbouring positions, whose keys are neighbours in memory.
  let teams = lanes / PARTS;
  let team = lane & (teams - 1u);
  // Number of the lane in its team. The lane has the
  // groups of four columns with the numbers part, part + PARTS, part + 2 * PARTS and part + 3 * PARTS.
  let part = lane >> firstTrailingBit(teams);
  let tile = WORKGROUP_SIZE / PARTS;
  let stride = SPANS * tile;
  // The first position of the subgroup.
  let begin = group.z * tile + subgroup * teams;

  // These loads overlap. Those that others depend on come first, since a load waits for the ones before it.
  let position = state[0];
  let loaded = load_stream(local_index);
  for (var i = local_index; i < 3u * FOURS; i += WORKGROUP_SIZE) {
    own[i] = own_four(i, head, 0u, position);
  }
  // Positions after the token's own are not read.
  var next_key = key_columns(kv_head, min(begin + team, position), part);
  var next_value = value_columns(kv_head, min(begin + team, position), part);
  find_late_scale(loaded, local_index);

  let query = own_columns(0u, part);
  var largest = NO_SCORE;
  var total = 0.0;
  var sums = mat4x4<f32>();
  // Team 0 of this subgroup begins with the score of the token itself; the other teams begin without a score.
  let has_own = group.z == 0u && subgroup == 0u;
  if (has_own) {
    let score = team_sum(SCALE * dots(query, own_columns(FOURS, part)), teams, lanes);
    if (team == 0u) {
      largest = score;
      total = 1.0;
      sums = own_columns(2u * FOURS, part);
    }
  }
  for (var at = begin; at < position; at += stride) {
    let goes_on = at + stride < position;
    let i = at + team;
    let lane_score = SCALE * dots(query, next_key);
    if (goes_on) {
      next_key = key_columns(kv_head, i + stride, part);
    }
    let score = team_sum(lane_score, teams, lanes);
    // Only positions before the token's own count: the cache may contain anything from there on.
    if (i < position) {
      let largest_now = max(largest, score);
      let correction = exp(largest - largest_now);
      let weight = exp(score - largest_now);
      largest = largest_now;
      total = correction * total + weight;
      sums = correction * sums + weight * next_value;
    }
    if (goes_on) {
      next_value = value_columns(kv_head, i + stride, part);
    }
  }

  // The largest score of the subgroup, then of the workgroup.
  var largest_of_all = largest;
  for (var distance = 1u; distance < teams; distance <<= 1u) {
    largest_of_all = max(largest_of_all, subgroupShuffleXor(largest_of_all, distance));
  }
  if (lane == 0u) {
    subgroup_largest[subgroup] = largest_of_all;
  }
  workgroupBarrier();
  for (var i = lane; i < (WORKGROUP_SIZE >> bits); i += lanes) {
    largest_of_all = max(largest_of_all, subgroup_largest[i]);
  }
  largest_of_all = subgroupMax(largest_of_all);
  if (has_own || begin < position) {
    let correction = exp(largest - largest_of_all);
    total *= correction;
    for (var distance = 1u; distance < teams; distance <<= 1u) {
      total += subgroupShuffleXor(total, distance);
    }
    if (lane == 0u) {
      subgroup_totals[subgroup] = total;
    }
    add_team_sums(subgroup, correction * sums, team, teams, part);
  }
  workgroupBarrier();

  let span_start = (head * SPANS + group.z) * (HEAD_DIM + 2u);
  for (var column = local_index; column < HEAD_DIM; column += WORKGROUP_SIZE) {
    var total_of_all = 0.0;
    var sum = 0.0;
    for (var i = 0u; i < SUBGROUPS; i++) {
      total_of_all += subgroup_totals[i];
      sum += subgroup_sums[i * FOURS + column / 4u][column % 4u];
    }
    if (SPANS == 1u) {
      gathered[head * HEAD_DIM + column] = sum / total_of_all;
    } else {
      gathered[span_start + column] = sum;
      if (column == 0u) {
        gathered[span_start + HEAD_DIM] = largest_of_all;
        gathered[span_start + HEAD_DIM + 1u] = total_of_all;
      }
    }
  }
  if (group.z == 0u && head % GROUP == 0u && position < CONTEXT) {
    for (var four = local_index; four < FOURS; four += WORKGROUP_SIZE) {
      keep_key(kv_head, position, four, scaled(own[FOURS + four]));
      keep_value(kv_head, position, four, scaled(own[2u * FOURS + four]));
    }
  }
}

// A lane's columns of a key. Past the last column or position others are read, and not used.
fn key_columns(head: u32, position: u32, part: u32) -> mat4x4<f32> {
  let key = key_place(head, min(position, CONTEXT - 1u));
  return mat4x4(
    keys[key + min(part, FOURS - 1u) * BLOCK],
    keys[key + min(part + PARTS, FOURS - 1u) * BLOCK],
    keys[key + min(part + 2u * PARTS, FOURS - 1u) * BLOCK],
    keys[key + min(part + 3u * PARTS, FOURS - 1u) * BLOCK],
  );
}

// A lane's columns of a value, under the same conditions.
fn value_columns(head: u32, position: u32, part: u32) -> mat4x4<f32> {
  let value = value_place(head, min(position, CONTEXT - 1u));
  return mat4x4(
    values[value + min(part, FOURS - 1u)],
    values[value + min(part + PARTS, FOURS - 1u)],
    values[value + min(part + 2u * PARTS, FOURS - 1u)],
    values[value + min(part + 3u * PARTS, FOURS - 1u)],
  );
}

// A lane's columns of the token's own query, key or value, which begins at `start`; 0 past the last column.
fn own_columns(start: u32, part: u32) -> mat4x4<f32> {
  return mat4x4(
    own_four_columns(start, part),
    own_four_columns(start, part + PARTS),
    own_four_columns(start, part + 2u * PARTS),
    own_four_columns(start, part + 3u * PARTS),
  );
}

fn own_four_columns(start: u32, four: u32) -> vec4<f32> {
  return select(vec4(0.0), scaled(own[start + min(four, FOURS - 1u)]), four < FOURS);
}

fn dots(a: mat4x4<f32>, b: mat4x4<f32>) -> f32 {
  return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]) + dot(a[3], b[3]);
}

// The sum over the lanes of a team.
fn team_sum(value: f32, teams: u32, lanes: u32) -> f32 {
  var sum = value;
  for (var distance = teams; distance < lanes; distance <<= 1u) {
    sum += subgroupShuffleXor(sum, distance);
  }
  return sum;
}

// Adds the sums of all teams of a subgroup by warp shuffles, and stores them. In each of the first two exchanges a lane keeps
// half of its columns.
fn add_team_sums(subgroup: u32, sums: mat4x4<f32>, team: u32, teams: u32, part: u32) {
  var a = sums[0];
  var b = sums[1];
  var first = 0u;
  if (teams > 1u) {
    let high = (team & 1u) != 0u;
    a = exchanged_half(sums[0], sums[2], high, 1u);
    b = exchanged_half(sums[1], sums[3], high, 1u);
    first += select(0u, 2u, high);
  }
  if (teams > 2u) {
    let high = (team & 2u) != 0u;
    a = exchanged_half(a, b, high, 2u);
    first += select(0u, 1u, high);
  }
  for (var distance = 4u; distance < teams; distance <<= 1u) {
    a += subgroupShuffleXor(a, distance);
  }
  if (team < 4u) {
    store_four(subgroup, part + first * PARTS, a);
  }
  if (teams < 4u) {
    store_four(subgroup, part + (first + 1u) * PARTS, b);
  }
  if (teams == 1u) {
    store_four(subgroup, part + 2u * PARTS, sums[2]);
    store_four(subgroup, part + 3u * PARTS, sums[3]);
  }
}

// Exchanges halves with the lane at `distance`: this lane keeps one of two sums, and adds the other lane's part of it.
fn exchanged_half(low: vec4<f32>, high: vec4<f32>, keeps_high: bool, distance: u32) -> vec4<f32> {
  return select(low, high, keeps_high) + subgroupShuffleXor(select(high, low, keeps_high), distance);
}

fn store_four(subgroup: u32, four: u32, sum: vec4<f32>) {
  if (four < FOURS) {
    subgroup_sums[subgroup * FOURS + four] = sum;
  }
}
