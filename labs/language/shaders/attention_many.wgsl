// language/attention_many: attention of many tokens, whose keys and values are in the cache already. A workgroup computes 16
// tokens of a head, so that each key and value is read once for all of them.
// Source: FlashAttention, Dao et al. 2022: a tile of keys at a time, sums rescaled when a larger score turns up.
// Lanes: a power of two, at least 16 and 4 * FOURS. Each has one key of a tile, then four columns of four tokens.
// Dispatch: x = heads of queries, y = ceil(TOKENS / 16), the last tokens first.  Needs: nothing.
// Workgroup memory: 68 B per lane, 256 B * FOURS, and 64 B.

// include language/late_scale.wgsl#none: late_scale
// include language/heads.wgsl: HEAD_DIM, FOURS, CONTEXT, GROUP, BLOCK, NO_SCORE, state, keys, values,
//   key_place, value_place, query_four, scaled

// Lanes per workgroup, and keys of a tile.
override WORKGROUP_SIZE: u32 = 64u;
// Heads of queries.
override HEADS: u32 = 1u;
// Tokens that are computed together.
override TOKENS: u32 = 16u;
// Scale of the scores: the factor of the products of queries and keys.
override SCALE: f32 = 1.0;

// For every token and head the weighted sum of values.
@group(0) @binding(6) var<storage, read_write> gathered: array<f32>;

// Tokens of a workgroup, and vectors of four tokens.
const GROUP_TOKENS = 16u;
const GROUP_FOURS = 4u;

// In this file a `four` is the index of a vector of four columns of a head, and a `token_four` of four tokens of the workgroup.

// Columns of queries, each as vectors of four tokens: [column * GROUP_FOURS + token_four][token % 4].
var<workgroup> queries: array<vec4<f32>, 4u * FOURS * GROUP_FOURS>;
// Scores of the keys of a tile, later their weights, for every token of the workgroup as vectors of four keys:
// [token * (WORKGROUP_SIZE / 4) + key / 4][key % 4].
var<workgroup> weights: array<vec4<f32>, GROUP_TOKENS * (WORKGROUP_SIZE / 4u)>;
// Numbers that the lanes of one token exchange, by lane.
var<workgroup> exchanged: array<f32, WORKGROUP_SIZE>;
// Online softmax, by token of the workgroup: the factor that rescales its earlier sums; at the end 1 over the sum of its weights.
var<workgroup> factors: array<f32, GROUP_TOKENS>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let head = group.x;
  let kv_head = head / GROUP;
  // The last tokens have the most keys: those that begin first take longest.
  let first_token = GROUP_TOKENS * (workgroups.y - 1u - group.y);
  let first_position = state[0] + first_token;
  let last = min(CONTEXT, state[0] + min(TOKENS, first_token + GROUP_TOKENS)) - 1u;

  for (var i = lane; i < FOURS * GROUP_TOKENS; i += WORKGROUP_SIZE) {
    let group_token = i / FOURS;
    let four = i % FOURS;
    // Past the last token the last one is computed again, and not written.
    let token = min(first_token + group_token, TOKENS - 1u);
    let query = SCALE * scaled(query_four(token, head, four, min(state[0] + token, CONTEXT - 1u)));
    let row = 4u * four * GROUP_FOURS + group_token / 4u;
    queries[row][group_token % 4u] = query.x;
    queries[row + GROUP_FOURS][group_token % 4u] = query.y;
    queries[row + 2u * GROUP_FOURS][group_token % 4u] = query.z;
    queries[row + 3u * GROUP_FOURS][group_token % 4u] = query.w;
  }
  workgroupBarrier();

  // For softmax, neighbouring lanes share the keys of one token.
  let lanes_per_token = WORKGROUP_SIZE / GROUP_TOKENS;
  let softmax_token = lane / lanes_per_token;
  let lane_of_token = lane % lanes_per_token;
  var largest = NO_SCORE;
  var total = 0.0;
  // For the sums of values a lane has four columns of four tokens; lanes past the last four tokens have none.
  let four = lane % FOURS;
  let token_four = lane / FOURS;
  var sums: array<vec4<f32>, 4>;

  for (var first = 0u; first <= last; first += WORKGROUP_SIZE) {
    // Scores: one key to a lane.
    let key_position = first + lane;
    var key_four = key_place(kv_head, min(key_position, last));
    // Set to 0 here: one compiler kept the scores of the tile before.
    var scores = array<vec4<f32>, GROUP_FOURS>();
    for (var k = 0u; k < FOURS; k++) {
      add_products(&scores, keys[key_four], 4u * k * GROUP_FOURS);
      key_four += BLOCK;
    }
    store_scores(lane, 0u, masked(scores[0], key_position, first_position));
    store_scores(lane, 4u, masked(scores[1], key_position, first_position + 4u));
    store_scores(lane, 8u, masked(scores[2], key_position, first_position + 8u));
    store_scores(lane, 12u, masked(scores[3], key_position, first_position + 12u));
    workgroupBarrier();

    // Weights, relative to the largest score so far.
    let row = softmax_token * (WORKGROUP_SIZE / 4u) + lane_of_token;
    let tile_scores = array(
      weights[row],
      weights[row + lanes_per_token],
      weights[row + 2u * lanes_per_token],
      weights[row + 3u * lanes_per_token],
    );
    let largest_scores = max(max(tile_scores[0], tile_scores[1]), max(tile_scores[2], tile_scores[3]));
    exchanged[lane] = max(max(largest_scores.x, largest_scores.y), max(largest_scores.z, largest_scores.w));
    workgroupBarrier();
    let before = largest;
    for (var i = 0u; i < lanes_per_token; i++) {
      largest = max(largest, exchanged[softmax_token * lanes_per_token + i]);
    }
    let factor = exp(before - largest);
    let w0 = exp(tile_scores[0] - largest);
    let w1 = exp(tile_scores[1] - largest);
    let w2 = exp(tile_scores[2] - largest);
    let w3 = exp(tile_scores[3] - largest);
    total = factor * total + dot(w0 + w1 + w2 + w3, vec4(1.0));
    weights[row] = w0;
    weights[row + lanes_per_token] = w1;
    weights[row + 2u * lanes_per_token] = w2;
    weights[row + 3u * lanes_per_token] = w3;
    if (lane_of_token == 0u) {
      factors[softmax_token] = factor;
    }
    workgroupBarrier();

    // Sums of values.
    if (token_four < GROUP_FOURS) {
      sums[0] *= factors[4u * token_four];
      sums[1] *= factors[4u * token_four + 1u];
      sums[2] *= factors[4u * token_four + 2u];
      sums[3] *= factors[4u * token_four + 3u];
      let count = (min(WORKGROUP_SIZE, last + 1u - first) + 3u) / 4u;
      for (var i = 0u; i < count; i++) {
        add_values(&sums, 4u * token_four * (WORKGROUP_SIZE / 4u) + i, kv_head, first + 4u * i, last, four);
      }
    }
    workgroupBarrier(); // the next tile writes again
  }

  exchanged[lane] = total;
  workgroupBarrier();
  if (lane < GROUP_TOKENS) {
    var sum = 0.0;
    for (var i = 0u; i < lanes_per_token; i++) {
      sum += exchanged[lane * lanes_per_token + i];
    }
    factors[lane] = 1.0 / sum;
  }
  workgroupBarrier();
  if (token_four < GROUP_FOURS) {
    let token = first_token + 4u * token_four;
    store_four(token, head, four, factors[4u * token_four] * sums[0]);
    store_four(token + 1u, head, four, factors[4u * token_four + 1u] * sums[1]);
    store_four(token + 2u, head, four, factors[4u * token_four + 2u] * sums[2]);
    store_four(token + 3u, head, four, factors[4u * token_four + 3u] * sums[3]);
  }
}

// Adds what four columns of a key contribute to the scores of all tokens; `row`: where these columns begin in `queries`.
// Indices into `scores` are constants, so that the scores stay in registers.
fn add_products(scores: ptr<function, array<vec4<f32>, GROUP_FOURS>>, key: vec4<f32>, row: u32) {
  (*scores)[0] = weighted(key, queries[row], queries[row + 4u], queries[row + 8u], queries[row + 12u], (*scores)[0]);
  (*scores)[1] = weighted(key, queries[row + 1u], queries[row + 5u], queries[row + 9u], queries[row + 13u], (*scores)[1]);
  (*scores)[2] = weighted(key, queries[row + 2u], queries[row + 6u], queries[row + 10u], queries[row + 14u], (*scores)[2]);
  (*scores)[3] = weighted(key, queries[row + 3u], queries[row + 7u], queries[row + 11u], queries[row + 15u], (*scores)[3]);
}

// sum + weight.x * a + weight.y * b + weight.z * c + weight.w * d
fn weighted(weight: vec4<f32>, a: vec4<f32>, b: vec4<f32>, c: vec4<f32>, d: vec4<f32>, sum: vec4<f32>) -> vec4<f32> {
  return fma(vec4(weight.w), d, fma(vec4(weight.z), c, fma(vec4(weight.y), b, fma(vec4(weight.x), a, sum))));
}

// The scores of a key with four tokens from a position on; NO_SCORE for tokens before the key, which do not attend to it.
fn masked(scores: vec4<f32>, key_position: u32, position: u32) -> vec4<f32> {
  return select(vec4(NO_SCORE), scores, vec4(key_position) <= vec4(0u, 1u, 2u, 3u) + position);
}

// Writes the scores of a key with four tokens, from `group_token` on.
fn store_scores(key: u32, group_token: u32, scores: vec4<f32>) {
  let row = group_token * (WORKGROUP_SIZE / 4u) + key / 4u;
  weights[row][key % 4u] = scores.x;
  weights[row + WORKGROUP_SIZE / 4u][key % 4u] = scores.y;
  weights[row + 2u * (WORKGROUP_SIZE / 4u)][key % 4u] = scores.z;
  weights[row + 3u * (WORKGROUP_SIZE / 4u)][key % 4u] = scores.w;
}

// Adds four columns of the values at four positions from `first` on to the sums of four tokens, whose weights begin at `row`.
// Past the last position the last one is read again with weight 0: the cache after it may contain NaN.
fn add_values(sums: ptr<function, array<vec4<f32>, 4>>, row: u32, head: u32, first: u32, last: u32, four: u32) {
  let v0 = values[value_place(head, first) + four];
  let v1 = values[value_place(head, min(first + 1u, last)) + four];
  let v2 = values[value_place(head, min(first + 2u, last)) + four];
  let v3 = values[value_place(head, min(first + 3u, last)) + four];
  (*sums)[0] = weighted(weights[row], v0, v1, v2, v3, (*sums)[0]);
  (*sums)[1] = weighted(weights[row + WORKGROUP_SIZE / 4u], v0, v1, v2, v3, (*sums)[1]);
  (*sums)[2] = weighted(weights[row + 2u * (WORKGROUP_SIZE / 4u)], v0, v1, v2, v3, (*sums)[2]);
  (*sums)[3] = weighted(weights[row + 3u * (WORKGROUP_SIZE / 4u)], v0, v1, v2, v3, (*sums)[3]);
}

// Writes four columns of a head of a token, as far as they exist.
fn store_four(token: u32, head: u32, four: u32, sum: vec4<f32>) {
  if (token >= TOKENS) {
    return;
  }
  let index = (token * HEADS + head) * HEAD_DIM + 4u * four;
  gathered[index] = sum.x;
  gathered[index + 1u] = sum.y;
  // HEAD_DIM is even.
  if (4u * four + 2u < HEAD_DIM) {
    gathered[index + 2u] = sum.z;
    gathered[index + 3u] = sum.w;
  }
}
