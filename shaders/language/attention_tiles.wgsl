// language/attention_tiles: attention of one token, a tile of positions at a time. Keys and values of the first tile are
// loaded before the query is known, those of later tiles as soon as registers are free.
// Source: FlashAttention, algorithm 1: the largest score and the sum of weights are corrected from tile to tile. Differs: one
// query, and four positions to a subgroup, each with a part of the columns for every fourth lane.
// Lanes: a power of two, at least FOURS and a subgroup, of any power-of-two size from four on.
// Dispatch: x = heads of queries, z = spans of positions.  Needs: subgroups.
// Workgroup memory: 20 B per lane, 8 B per position of a tile, 96 B * FOURS.
enable subgroups;
// All lanes of a subgroup stay together, since bounds are those of the workgroup; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include language/reductions.wgsl#subgroup: WORKGROUP_SIZE
// include language/late_scale.wgsl#none or #at_7: load_stream, find_late_scale
// include language/heads.wgsl: HEAD_DIM, FOURS, CONTEXT, GROUP, state, keys, values, Four, own_four, scaled,
//   keep_key, keep_value

// Positions of a span.
override SPAN: u32 = 512u;
// Spans that the output has room for, if there are several.
override SPANS: u32 = 1u;
// Positions of a tile at most: four for each of the smallest subgroups.
override TILE: u32 = 64u;
// Factor of products of queries and keys.
override SCALE: f32 = 1.0;
// Whether there are several spans, whose parts are still to be merged.
override IN_PARTS: u32 = 0u;

// Of every head the weighted sum of values; in parts, of every span this sum, the largest score, and the sum of weights.
@group(0) @binding(6) var<storage, read_write> gathered: array<f32>;

// Positions of a subgroup in a tile.
const POSITIONS = 4u;
// The smallest score that softmax can meet: less than any, and still a number.
const LOWEST = -3.0e38;

// The token's query, key and value.
var<workgroup> own: array<Four, 3u * FOURS>;
// Of every position of a tile; two tiles take turns.
var<workgroup> scores: array<f32, 2u * TILE>;
// Of every lane, the sums of four columns.
var<workgroup> lane_sums: array<vec4<f32>, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let head = group.x;
  let kv_head = head / GROUP;
  let first = group.z * SPAN;
  let bits = firstTrailingBit(lanes);
  let tile = (WORKGROUP_SIZE >> bits) * POSITIONS;
  // A lane multiplies part of the key of one position: every `parts`-th group of four columns.
  let parts = lanes / POSITIONS;
  let part = lane / POSITIONS;
  let key_place = (local_index >> bits) * POSITIONS + lane % POSITIONS;
  // It adds four columns of the values of every `at_once`-th position.
  let at_once = WORKGROUP_SIZE / FOURS;
  let value_place = local_index / FOURS;

  // These loads overlap.
  var ahead_keys = four_keys(kv_head, first + key_place, part, parts);
  var ahead_values = four_values(kv_head, first + value_place, at_once, local_index % FOURS);
  let loaded = load_stream(local_index);
  let position = state[0];
  for (var i = local_index; i < 3u * FOURS; i += WORKGROUP_SIZE) {
    own[i] = own_four(i, head, 0u, position);
  }
  find_late_scale(loaded, local_index);

  let has_own = group.z == 0u;
  // Positions of the span that come before the token.
  let before = min(position, first + SPAN) - min(position, first);
  let count = before + select(0u, 1u, has_own);
  let ahead_query = four_own(0u, part, parts);
  var largest = LOWEST;
  var lane_total = 0.0;
  var sums = vec4(0.0);
  var turn = 0u;
  var own_at = 0u;
  for (var begin = 0u; begin < count; begin += tile) {
    let goes_on = begin + tile < count;
    let i = begin + key_place;
    var four_keys_now = ahead_keys;
    if (has_own && i == before) {
      four_keys_now = four_own(FOURS, part, parts);
    }
    var score = dots(ahead_query, four_keys_now);
    for (var four = part + 4u * parts; four < FOURS; four += 4u * parts) {
      four_keys_now = four_keys(kv_head, first + i, four, parts);
      if (has_own && i == before) {
        four_keys_now = four_own(FOURS, four, parts);
      }
      score += dots(four_own(0u, four, parts), four_keys_now);
    }
    if (goes_on) {
      ahead_keys = four_keys(kv_head, first + i + tile, part, parts);
    }
    for (var distance = POSITIONS; distance < lanes; distance <<= 1u) {
      score += subgroupShuffleXor(score, distance);
    }
    if (part == 0u) {
      scores[turn + key_place] = select(LOWEST, SCALE * score, i < count);
    }
    workgroupBarrier();

    // Every subgroup finds the largest score for itself.
    var lane_largest = largest;
    for (var place = lane; place < tile; place += lanes) {
      lane_largest = max(lane_largest, scores[turn + place]);
    }
    let largest_now = subgroupMax(lane_largest);
    let correction = exp(largest - largest_now);
    largest = largest_now;
    lane_total *= correction;
    for (var place = lane; place < tile; place += lanes) {
      lane_total += exp(scores[turn + place] - largest);
    }
    sums *= correction;
    for (var place = value_place; place < tile; place += 4u * at_once) {
      var four_values_now = ahead_values;
      if (place != value_place) {
        four_values_now = four_values(kv_head, first + begin + place, at_once, local_index % FOURS);
      }
      let at = vec4(place) + vec4(0u, 1u, 2u, 3u) * at_once;
      let is_cached = (at < vec4(tile)) & (vec4(begin) + at < vec4(before));
      let weights = vec4(
        exp(scores[turn + at.x] - largest),
        exp(scores[turn + at.y] - largest),
        exp(scores[turn + at.z] - largest),
        exp(scores[turn + at.w] - largest),
      );
      sums += where_true(four_values_now, is_cached) * select(vec4(0.0), weights, is_cached);
    }
    if (goes_on) {
      ahead_values = four_values(kv_head, first + begin + tile + value_place, at_once, local_index % FOURS);
    }
    own_at = turn + before - min(before, begin);
    turn = TILE - turn;
  }
  let total = subgroupAdd(lane_total);
  lane_sums[local_index] = sums;
  workgroupBarrier();

  let part_at = (head * SPANS + group.z) * (HEAD_DIM + 2u);
  for (var column = local_index; column < HEAD_DIM; column += WORKGROUP_SIZE) {
    var sum = 0.0;
    if (has_own) {
      sum = exp(scores[own_at] - largest) * scaled(own[2u * FOURS + column / 4u])[column % 4u];
    }
    let at = column / 4u;
    var i = 0u;
    for (; i + 4u <= at_once; i += 4u) {
      let next = lane_sums[i * FOURS + at][column % 4u] + lane_sums[(i + 1u) * FOURS + at][column % 4u];
      sum += next + lane_sums[(i + 2u) * FOURS + at][column % 4u] + lane_sums[(i + 3u) * FOURS + at][column % 4u];
    }
    for (; i < at_once; i++) {
      sum += lane_sums[i * FOURS + at][column % 4u];
    }
    if (IN_PARTS == 0u) {
      gathered[head * HEAD_DIM + column] = sum / total;
    } else {
      gathered[part_at + column] = sum;
    }
  }
  if (IN_PARTS != 0u && local_index == 0u) {
    gathered[part_at + HEAD_DIM] = largest;
    gathered[part_at + HEAD_DIM + 1u] = total;
  }
  if (has_own && head % GROUP == 0u && position < CONTEXT) {
    for (var four = local_index; four < FOURS; four += WORKGROUP_SIZE) {
      keep_key(kv_head, position, four, scaled(own[FOURS + four]));
      keep_value(kv_head, position, four, scaled(own[2u * FOURS + four]));
    }
  }
}

// Four groups of four columns of a key, `parts` apart. Past the last column or position others are read, and not used.
fn four_keys(head: u32, position: u32, four: u32, parts: u32) -> mat4x4<f32> {
  let at = head * FOURS * CONTEXT + min(position, CONTEXT - 1u);
  return mat4x4(
    keys[at + min(four, FOURS - 1u) * CONTEXT],
    keys[at + min(four + parts, FOURS - 1u) * CONTEXT],
    keys[at + min(four + 2u * parts, FOURS - 1u) * CONTEXT],
    keys[at + min(four + 3u * parts, FOURS - 1u) * CONTEXT],
  );
}

// Four columns of four positions, `apart` from each other. Past the last position it is read again, and not used.
fn four_values(head: u32, position: u32, apart: u32, four: u32) -> mat4x4<f32> {
  let at = head * CONTEXT * FOURS + four;
  return mat4x4(
    values[at + min(position, CONTEXT - 1u) * FOURS],
    values[at + min(position + apart, CONTEXT - 1u) * FOURS],
    values[at + min(position + 2u * apart, CONTEXT - 1u) * FOURS],
    values[at + min(position + 3u * apart, CONTEXT - 1u) * FOURS],
  );
}

// Four groups of four columns of the token's query or key, which begins at `at`, with 0 past the last column.
fn four_own(at: u32, four: u32, parts: u32) -> mat4x4<f32> {
  return mat4x4(
    own_inside(at, four),
    own_inside(at, four + parts),
    own_inside(at, four + 2u * parts),
    own_inside(at, four + 3u * parts),
  );
}

fn own_inside(at: u32, four: u32) -> vec4<f32> {
  return select(vec4(0.0), scaled(own[at + min(four, FOURS - 1u)]), four < FOURS);
}

// The columns of a matrix that are used, and 0 for the others, even where they hold NaN.
fn where_true(m: mat4x4<f32>, used: vec4<bool>) -> mat4x4<f32> {
  return mat4x4(
    select(vec4(0.0), m[0], used.x),
    select(vec4(0.0), m[1], used.y),
    select(vec4(0.0), m[2], used.z),
    select(vec4(0.0), m[3], used.w),
  );
}

fn dots(a: mat4x4<f32>, b: mat4x4<f32>) -> f32 {
  return dot(a[0], b[0]) + dot(a[1], b[1]) + dot(a[2], b[2]) + dot(a[3], b[3]);
}
