// language/attention: attention of one or several tokens: for each head the sum of the values up to a token, weighted by the
// softmax of its query with their keys. The first span begins with the token itself, which need not be in the cache.
// Lanes: a power of two, at least FOURS, and a multiple of PARTS.
// Dispatch: x = heads of queries, y = tokens, z = spans of positions.
// Needs: subgroups with reductions#subgroup, nothing with #workgroup.
// Workgroup memory: 20 B per lane, 4 B * (PARTS + 1) * (SPAN + 1), 48 B * FOURS.

// include language/reductions.wgsl#workgroup or #subgroup: WORKGROUP_SIZE, workgroup_total, workgroup_max
// include language/late_scale.wgsl#none or #at_7: late_scale, load_stream, find_late_scale
// include language/heads.wgsl: HEAD_DIM, FOURS, CONTEXT, GROUP, BLOCK, NO_SCORE, state, keys, values,
//   key_place, value_place, own_four, scaled, keep_key, keep_value

// Heads of queries.
override HEADS: u32 = 1u;
// Positions of a span.
override SPAN: u32 = 512u;
// Spans for which the output has space, if there are several.
override SPANS: u32 = 1u;
// Parts into which the columns of a key are divided, each with its own lanes; a divisor of FOURS.
override PARTS: u32 = 1u;
// Scale of the scores: the factor of the products of queries and keys.
override SCALE: f32 = 1.0;
// Whether the token's key and value are put into the cache.
override APPENDS: u32 = 0u;
// Whether there are several spans, whose results merge.wgsl merges.
override IN_PARTS: u32 = 0u;

// For every head the weighted sum of values; with several spans, for each this sum, the largest score, and the sum of weights.
@group(0) @binding(6) var<storage, read_write> gathered: array<f32>;

var<workgroup> query: array<vec4<f32>, FOURS>;
var<workgroup> own_key: array<vec4<f32>, FOURS>;
var<workgroup> own_value: array<vec4<f32>, FOURS>;
// For every part and every position of the span, then the token itself, the sum of its products.
var<workgroup> part_scores: array<f32, PARTS * (SPAN + 1u)>;
// For every position of the span, then the token itself, the score, and later the weight.
var<workgroup> scores: array<f32, SPAN + 1u>;
// For every lane the sums of four columns.
var<workgroup> lane_sums: array<vec4<f32>, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let head = group.x;
  let token = group.y;
  let kv_head = head / GROUP;
  let position = state[0] + token;
  let first = group.z * SPAN;
  let has_own = group.z == 0u;
  // Positions of the span that come before the token.
  let before = min(position, first + SPAN) - min(position, first);
  let count = before + select(0u, 1u, has_own);
  // These loads overlap.
  let loaded = load_stream(local_index);
  let own = own_four(local_index, head, token, position);
  find_late_scale(loaded, local_index);

  for (var i = local_index; i < 3u * FOURS; i += WORKGROUP_SIZE) {
    let four = i % FOURS;
    let keeps = APPENDS != 0u && head % GROUP == 0u && position < CONTEXT;
    var value = scaled(own);
    if (i != local_index) {
      value = scaled(own_four(i, head, token, position));
    }
    if (i < FOURS) {
      query[four] = SCALE * value;
    } else if (has_own && i < 2u * FOURS) {
      own_key[four] = value;
      if (keeps) {
        keep_key(kv_head, position, four, value);
      }
    } else if (has_own) {
      own_value[four] = value;
      if (keeps) {
        keep_value(kv_head, position, four, value);
      }
    }
  }
  workgroupBarrier();

  // A lane makes few loads, all in flight at once: with one token, nothing else hides how long they take.
  let part_fours = FOURS / PARTS;
  let lanes = WORKGROUP_SIZE / PARTS;
  let part = local_index / lanes;
  for (var i = local_index % lanes; i < count; i += lanes) {
    var score = 0.0;
    if (i < before) {
      var at = key_place(kv_head, first + i) + part * part_fours * BLOCK;
      for (var k = 0u; k < part_fours; k++) {
        score += dot(query[part * part_fours + k], keys[at]);
        at += BLOCK;
      }
    } else {
      for (var k = 0u; k < part_fours; k++) {
        score += dot(query[part * part_fours + k], own_key[part * part_fours + k]);
      }
    }
    part_scores[part * (SPAN + 1u) + i] = score;
  }
  workgroupBarrier();

  var lane_max = NO_SCORE;
  for (var i = local_index; i < count; i += WORKGROUP_SIZE) {
    var score = 0.0;
    for (var p = 0u; p < PARTS; p++) {
      score += part_scores[p * (SPAN + 1u) + i];
    }
    scores[i] = score;
    lane_max = max(lane_max, score);
  }
  let largest = workgroup_max(lane_max, local_index);

  var lane_total = 0.0;
  for (var i = local_index; i < count; i += WORKGROUP_SIZE) {
    let weight = exp(scores[i] - largest);
    scores[i] = weight;
    lane_total += weight;
  }
  // The barriers of the sum also let every lane see the weights of all.
  let total = workgroup_total(lane_total, local_index);

  // Lanes share the columns and then the positions.
  let at_once = WORKGROUP_SIZE / FOURS;
  let four = local_index % FOURS;
  let first_position = local_index / FOURS;
  var sums = vec4(0.0);
  if (first_position < at_once) {
    for (var i = first_position; i < before; i += at_once) {
      sums += scores[i] * values[value_place(kv_head, first + i) + four];
    }
  }
  lane_sums[local_index] = sums;
  workgroupBarrier();
  if (local_index >= FOURS) {
    return;
  }
  var sum = vec4(0.0);
  if (has_own) {
    sum = scores[before] * own_value[four];
  }
  for (var i = 0u; i < at_once; i++) {
    sum += lane_sums[i * FOURS + four];
  }
  let head_of_token = token * HEADS + head;
  if (IN_PARTS == 0u) {
    store_four(head_of_token * HEAD_DIM, four, sum / total);
    return;
  }
  let part_at = (head_of_token * SPANS + group.z) * (HEAD_DIM + 2u);
  store_four(part_at, four, sum);
  if (four == 0u) {
    gathered[part_at + HEAD_DIM] = largest;
    gathered[part_at + HEAD_DIM + 1u] = total;
  }
}

// Writes four columns of a head that begins at `at`, as far as they exist.
fn store_four(at: u32, four: u32, sum: vec4<f32>) {
  let column = 4u * four;
  gathered[at + column] = sum.x;
  gathered[at + column + 1u] = sum.y;
  // HEAD_DIM is even.
  if (column + 2u < HEAD_DIM) {
    gathered[at + column + 2u] = sum.z;
    gathered[at + column + 3u] = sum.w;
  }
}
