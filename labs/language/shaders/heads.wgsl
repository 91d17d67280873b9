// language/heads: reads q, k and v of a token with their biases, four columns of a head at a time (columns past the last are 0),
// applies RoPE (rotary position embedding) to q and k, and writes k and v to the KV cache.
// Provides: HEAD_DIM, FOURS, CONTEXT, GROUP, BLOCK, NO_SCORE, state, keys, values, key_place, value_place, Four, query_four,
//   key_four, value_four, own_four, scaled, keep_key, keep_value.
// Requires: late_scale.

// Columns of a head, an even number.
override HEAD_DIM: u32 = 4u;
// ceil(HEAD_DIM / 4).
override FOURS: u32 = 1u;
// Query heads per head of keys and values (grouped-query attention).
override GROUP: u32 = 1u;
// Heads of keys and values.
override KV_HEADS: u32 = 1u;
// Positions for which the cache has space.
override CONTEXT: u32 = 1u;
// 1: the interleaved RoPE layout, which rotates columns 2 i and 2 i + 1 together. 0: columns i and i + HEAD_DIM / 2.
override NEIGHBOURS: u32 = 0u;
// Whether there are biases.
override BIASED: u32 = 0u;
// Where keys begin in the matrices' output; queries are first.
override KEYS_AT: u32 = 0u;
// Where values begin.
override VALUES_AT: u32 = 0u;
// Elements from the queries of one token to the queries of the next.
override QUERY_STRIDE: u32 = 0u;
// Elements from the keys of one token to the keys of the next.
override KEY_STRIDE: u32 = 0u;
// Elements from the values of one token to the values of the next.
override VALUE_STRIDE: u32 = 0u;
// Where the biases of keys begin; the biases of queries are first.
override KEY_BIASES_AT: u32 = 0u;
// Where the biases of values begin.
override VALUE_BIASES_AT: u32 = 0u;

// The first is the position of token 0.
@group(0) @binding(0) var<storage, read> state: array<u32>;
// q, k and v of the tokens, as the products with their matrices wrote them: without biases, RoPE or late_scale.
@group(0) @binding(1) var<storage, read> projected: array<f32>;
// Of queries, keys and values, one per row of their matrices; unused without biases.
@group(0) @binding(2) var<storage, read> biases: array<f32>;
// The RoPE table: cos and sin of the angle, by position and pair of columns.
@group(0) @binding(3) var<storage, read> turns: array<vec2<f32>>;
// Keys by block of positions, head, four columns, and position, so that lanes on neighbouring positions read neighbouring words.
@group(0) @binding(4) var<storage, read_write> keys: array<vec4<f32>>;
// Values by block of positions, head, position, and four columns.
@group(0) @binding(5) var<storage, read_write> values: array<vec4<f32>>;

// Neighbouring positions whose heads lie together: a short text then uses a small part of the cache, however large that is.
// It equals CACHE_BLOCK in labs/language/decoders/chain/attention-stages.ts.
const BLOCK = 64u;
// Less than any score, and still a number, so that softmax can subtract it.
const NO_SCORE = -3.0e38;

// Where the first four columns of a key are; the next four are BLOCK further on.
fn key_place(head: u32, position: u32) -> u32 {
  return (position / BLOCK * KV_HEADS + head) * FOURS * BLOCK + position % BLOCK;
}

// Where the first four columns of a value are; the next four follow.
fn value_place(head: u32, position: u32) -> u32 {
  return ((position / BLOCK * KV_HEADS + head) * BLOCK + position % BLOCK) * FOURS;
}

// Four columns: the product with the matrix, and the biases. late_scale is the factor of RMSNorm, which multiplies the product but
// not the biases if the product was computed from a stream that was not normalised; else it is 1. RoPE is linear, so scaling
// comes after it.
struct Four {
  written: vec4<f32>,
  bias: vec4<f32>,
}

fn scaled(four: Four) -> vec4<f32> {
  if (BIASED == 0u) {
    return late_scale * four.written; // does not read a bias from workgroup memory
  }
  return late_scale * four.written + four.bias;
}

// A column as written, and its bias.
fn column_at(at: u32, bias_at: u32) -> vec2<f32> {
  if (BIASED != 0u) {
    return vec2(projected[at], biases[bias_at]);
  }
  return vec2(projected[at], 0.0);
}

// RoPE of one column of a head that begins at `at`, and of its bias.
fn rotated(at: u32, bias_at: u32, column: u32, position: u32) -> vec2<f32> {
  if (column >= HEAD_DIM) {
    return vec2(0.0);
  }
  let pairs = HEAD_DIM / 2u;
  var pair = column;
  var other = column + pairs;
  var is_second = column >= pairs;
  if (is_second) {
    pair = column - pairs;
    other = pair;
  }
  if (NEIGHBOURS != 0u) {
    pair = column >> 1u;
    other = column ^ 1u;
    is_second = (column & 1u) == 1u;
  }
  let rotation = turns[position * pairs + pair];
  let across = rotation.y * column_at(at + other, bias_at + other);
  return rotation.x * column_at(at + column, bias_at + column) + select(-across, across, is_second);
}

fn four_columns(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>, d: vec2<f32>) -> Four {
  return Four(vec4(a.x, b.x, c.x, d.x), vec4(a.y, b.y, c.y, d.y));
}

fn rotated_four(at: u32, bias_at: u32, four: u32, position: u32) -> Four {
  let column = 4u * four;
  return four_columns(
    rotated(at, bias_at, column, position),
    rotated(at, bias_at, column + 1u, position),
    rotated(at, bias_at, column + 2u, position),
    rotated(at, bias_at, column + 3u, position),
  );
}

fn query_four(token: u32, head: u32, four: u32, position: u32) -> Four {
  return rotated_four(token * QUERY_STRIDE + head * HEAD_DIM, head * HEAD_DIM, four, position);
}

fn key_four(token: u32, head: u32, four: u32, position: u32) -> Four {
  let first = head * HEAD_DIM;
  return rotated_four(KEYS_AT + token * KEY_STRIDE + first, KEY_BIASES_AT + first, four, position);
}

fn value_column(token: u32, head: u32, column: u32) -> vec2<f32> {
  if (column >= HEAD_DIM) {
    return vec2(0.0);
  }
  let at = head * HEAD_DIM + column;
  return column_at(VALUES_AT + token * VALUE_STRIDE + at, VALUE_BIASES_AT + at);
}

fn value_four(token: u32, head: u32, four: u32) -> Four {
  let column = 4u * four;
  return four_columns(
    value_column(token, head, column),
    value_column(token, head, column + 1u),
    value_column(token, head, column + 2u),
    value_column(token, head, column + 3u),
  );
}

// Four number i of the token's query, key and value, one after the other.
fn own_four(i: u32, head: u32, token: u32, position: u32) -> Four {
  let four = i % FOURS;
  if (i < FOURS) {
    return query_four(token, head, four, position);
  }
  if (i < 2u * FOURS) {
    return key_four(token, head / GROUP, four, position);
  }
  if (i < 3u * FOURS) {
    return value_four(token, head / GROUP, four);
  }
  return Four();
}

// Puts four columns of a token's key into the cache.
fn keep_key(head: u32, position: u32, four: u32, key: vec4<f32>) {
  keys[key_place(head, position) + four * BLOCK] = key;
}

// Puts four columns of a token's value into the cache.
fn keep_value(head: u32, position: u32, four: u32, value: vec4<f32>) {
  values[value_place(head, position) + four] = value;
}
