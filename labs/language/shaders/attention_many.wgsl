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

// Tokens of a workgroup, and how many fours they are.
const GROUP_TOKENS = 16u;
const GROUP_FOURS = 4u;

// Columns of queries, each as vectors of four tokens.
var<workgroup> queries: array<vec4<f32>, 4u * FOURS * GROUP_FOURS>;
// For every token, vectors with the scores of four keys, later with their weights.
var<workgroup> weights: array<vec4<f32>, GROUP_TOKENS * (WORKGROUP_SIZE / 4u)>;
// Numbers that the lanes of one token exchange.
var<workgroup> exchanged: array<f32, WORKGROUP_SIZE>;
// Online softmax: for every token the factor that rescales its earlier sums; at the end 1 over the sum of its weights.
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
  let position = state[0] + first_token;
  let last = min(CONTEXT, state[0] + min(TOKENS, first_token + GROUP_TOKENS)) - 1u;

  for (var i = lane; i < FOURS * GROUP_TOKENS; i += WORKGROUP_SIZE) {
    let own = i / FOURS;
    let four = i % FOURS;
    // Past the last token the last one is computed again, and not written.
    let token = min(first_token + own, TOKENS - 1u);
    let query = SCALE * scaled(query_four(token, head, four, min(state[0] + token, CONTEXT - 1u)));
    let at = 4u * four * GROUP_FOURS + own / 4u;
    queries[at][own % 4u] = query.x;
    queries[at + GROUP_FOURS][own % 4u] = query.y;
    queries[at + 2u * GROUP_FOURS][own % 4u] = query.z;
    queries[at + 3u * GROUP_FOURS][own % 4u] = query.w;
  }
  workgroupBarrier();

  // For softmax a lane has a part of the keys of one token; its neighbours have the other parts.
  let shares = WORKGROUP_SIZE / GROUP_TOKENS;
  let softmax_token = lane / shares;
  let share = lane % shares;
  var largest = NO_SCORE;
  var total = 0.0;
  // For the sums of values it has four columns of four tokens.
  let four = lane % FOURS;
  let sum_fours = lane / FOURS;
  var sums: array<vec4<f32>, 4>;

  for (var first = 0u; first <= last; first += WORKGROUP_SIZE) {
    // Scores: one key to a lane.
    let key_at = first + lane;
    var at = key_place(kv_head, min(key_at, last));
    // Set to 0 here: one compiler kept the scores of the tile before.
    var scores = array<vec4<f32>, GROUP_FOURS>();
    for (var k = 0u; k < FOURS; k++) {
      add_products(&scores, keys[at], 4u * k * GROUP_FOURS);
      at += BLOCK;
    }
    store_scores(lane, 0u, masked(scores[0], key_at, position));
    store_scores(lane, 4u, masked(scores[1], key_at, position + 4u));
    store_scores(lane, 8u, masked(scores[2], key_at, position + 8u));
    store_scores(lane, 12u, masked(scores[3], key_at, position + 12u));
    workgroupBarrier();

    // Weights, relative to the largest score so far.
    let row = softmax_token * (WORKGROUP_SIZE / 4u) + share;
    let fours = array(weights[row], weights[row + shares], weights[row + 2u * shares], weights[row + 3u * shares]);
    let four_max = max(max(fours[0], fours[1]), max(fours[2], fours[3]));
    exchanged[lane] = max(max(four_max.x, four_max.y), max(four_max.z, four_max.w));
    workgroupBarrier();
    let before = largest;
    for (var i = 0u; i < shares; i++) {
      largest = max(largest, exchanged[softmax_token * shares + i]);
    }
    let factor = exp(before - largest);
    let w0 = exp(fours[0] - largest);
    let w1 = exp(fours[1] - largest);
    let w2 = exp(fours[2] - largest);
    let w3 = exp(fours[3] - largest);
    total = factor * total + dot(w0 + w1 + w2 + w3, vec4(1.0));
    weights[row] = w0;
    weights[row + shares] = w1;
    weights[row + 2u * shares] = w2;
    weights[row + 3u * shares] = w3;
    if (share == 0u) {
      factors[softmax_token] = factor;
    }
    workgroupBarrier();

    // Sums of values.
    if (sum_fours < GROUP_FOURS) {
      sums[0] *= factors[4u * sum_fours];
      sums[1] *= factors[4u * sum_fours + 1u];
      sums[2] *= factors[4u * sum_fours + 2u];
      sums[3] *= factors[4u * sum_fours + 3u];
      let count = (min(WORKGROUP_SIZE, last + 1u - first) + 3u) / 4u;
      for (var i = 0u; i < count; i++) {
        add_values(&sums, 4u * sum_fours * (WORKGROUP_SIZE / 4u) + i, kv_head, first + 4u * i, last, four);
      }
    }
    workgroupBarrier(); // the next tile writes again
  }

  exchanged[lane] = total;
  workgroupBarrier();
  if (lane < GROUP_TOKENS) {
    var all = 0.0;
    for (var i = 0u; i < shares; i++) {
      all += exchanged[lane * shares + i];
    }
    factors[lane] = 1.0 / all;
  }
  workgroupBarrier();
  if (sum_fours < GROUP_FOURS) {
    let token = first_token + 4u * sum_fours;
    store_four(token, head, four, factors[4u * sum_fours] * sums[0]);
    store_four(token + 1u, head, four, factors[4u * sum_fours + 1u] * sums[1]);
    store_four(token + 2u, head, four, factors[4u * sum_fours + 2u] * sums[2]);
    store_four(token + 3u, head, four, factors[4u * sum_fours + 3u] * sums[3]);
  }
}

// Adds what four columns of a key contribute to the scores of all tokens. Indices are constants, so that the scores stay in
// registers.
fn add_products(scores: ptr<function, array<vec4<f32>, GROUP_FOURS>>, key: vec4<f32>, at: u32) {
  (*scores)[0] = weighted(key, queries[at], queries[at + 4u], queries[at + 8u], queries[at + 12u], (*scores)[0]);
  (*scores)[1] = weighted(key, queries[at + 1u], queries[at + 5u], queries[at + 9u], queries[at + 13u], (*scores)[1]);
  (*scores)[2] = weighted(key, queries[at + 2u], queries[at + 6u], queries[at + 10u], queries[at + 14u], (*scores)[2]);
  (*scores)[3] = weighted(key, queries[at + 3u], queries[at + 7u], queries[at + 11u], queries[at + 15u], (*scores)[3]);
}

// sum + by.x * a + by.y * b + by.z * c + by.w * d
fn weighted(by: vec4<f32>, a: vec4<f32>, b: vec4<f32>, c: vec4<f32>, d: vec4<f32>, sum: vec4<f32>) -> vec4<f32> {
  return fma(vec4(by.w), d, fma(vec4(by.z), c, fma(vec4(by.y), b, fma(vec4(by.x), a, sum))));
}

// The scores of a key with four tokens from a position on; NO_SCORE for tokens before the key, which do not attend to it.
fn masked(scores: vec4<f32>, key_at: u32, position: u32) -> vec4<f32> {
  return select(vec4(NO_SCORE), scores, vec4(key_at) <= vec4(0u, 1u, 2u, 3u) + position);
}

fn store_scores(key: u32, own: u32, scores: vec4<f32>) {
  let at = own * (WORKGROUP_SIZE / 4u) + key / 4u;
  weights[at][key % 4u] = scores.x;
  weights[at + WORKGROUP_SIZE / 4u][key % 4u] = scores.y;
  weights[at + 2u * (WORKGROUP_SIZE / 4u)][key % 4u] = scores.z;
  weights[at + 3u * (WORKGROUP_SIZE / 4u)][key % 4u] = scores.w;
}

// Adds four columns of four values from a position on, weighted by four tokens. Past the last position the last one is read again
// with weight 0: the cache after it may contain NaN.
fn add_values(sums: ptr<function, array<vec4<f32>, 4>>, at: u32, head: u32, first: u32, last: u32, four: u32) {
  let v0 = values[value_place(head, first) + four];
  let v1 = values[value_place(head, min(first + 1u, last)) + four];
  let v2 = values[value_place(head, min(first + 2u, last)) + four];
  let v3 = values[value_place(head, min(first + 3u, last)) + four];
  (*sums)[0] = weighted(weights[at], v0, v1, v2, v3, (*sums)[0]);
  (*sums)[1] = weighted(weights[at + WORKGROUP_SIZE / 4u], v0, v1, v2, v3, (*sums)[1]);
  (*sums)[2] = weighted(weights[at + 2u * (WORKGROUP_SIZE / 4u)], v0, v1, v2, v3, (*sums)[2]);
  (*sums)[3] = weighted(weights[at + 3u * (WORKGROUP_SIZE / 4u)], v0, v1, v2, v3, (*sums)[3]);
}

// Writes four columns of a head of a token, as far as they exist.
fn store_four(token: u32, head: u32, four: u32, sum: vec4<f32>) {
  if (token >= TOKENS) {
    return;
  }
  let at = (token * HEADS + head) * HEAD_DIM + 4u * four;
  gathered[at] = sum.x;
  gathered[at + 1u] = sum.y;
  // HEAD_DIM is even.
  if (4u * four + 2u < HEAD_DIM) {
    gathered[at + 2u] = sum.z;
    gathered[at + 3u] = sum.w;
  }
}
