// common/staged_x: x in workgroup memory. A segment (`share` in names) is the entries that one subgroup multiplies, which may
// begin and end inside a row. Once all have read x, the memory stores the results of segments: for each segment the sum of the
// row that it begins inside, and the sum of the row that continues after it; then that row, and whether there is one.

// variant f32 or share_f32 or pairs or fours: x is read as f32.

// Columns that are copied, at least 1.
override COLS: u32 = 1u;
// Iterations of the copy loop: ceil(COLS / 4 / WORKGROUP_SIZE).
override TURNS: u32 = 1u;

// One per column, one token after the other.
@group(0) @binding(4) var<storage, read> x: array<f32>;

// variant f32 or share_f32: x of one token, kept as f32.
// Provides: copy_x, x_at, keep_number, kept_number.  Requires: SHARES, WORKGROUP_SIZE.

// Holds x during the products; reused for the partial row sums of each segment.
var<workgroup> staged: array<f32, max(COLS, 4u * SHARES)>;

fn x_at(column: u32) -> f32 {
  return staged[column];
}

fn keep_number(i: u32, number: f32) {
  staged[i] = number;
}

fn kept_number(i: u32) -> f32 {
  return staged[i];
}

// The columns from `first` on. Called by all lanes of the workgroup, and to be followed by a barrier. What is copied from
// past the last column is some element of x, as WGSL guarantees, and belongs to no entry.
fn copy_x(local_index: u32, first: u32) {
  // Four copies per iteration, so that their loads are in flight together; past the end, the last element again.
  for (var turn = 0u; turn < TURNS; turn++) {
    let a = min(4u * turn * WORKGROUP_SIZE + local_index, COLS - 1u);
    let b = min(a + WORKGROUP_SIZE, COLS - 1u);
    let c = min(b + WORKGROUP_SIZE, COLS - 1u);
    let d = min(c + WORKGROUP_SIZE, COLS - 1u);
    let x_a = x[first + a];
    let x_b = x[first + b];
    let x_c = x[first + c];
    let x_d = x[first + d];
    staged[a] = x_a;
    staged[b] = x_b;
    staged[c] = x_c;
    staged[d] = x_d;
  }
}

// variant f16 or share_f16: x of one token as f16.
// Provides: copy_x, x_at, keep_number, kept_number.  Requires: SHARES, WORKGROUP_SIZE.

// Pairs of columns, at least 1: ceil(cols / 2).
override X_WORDS: u32 = 1u;
// Iterations of the copy loop: ceil(X_WORDS / 4 / WORKGROUP_SIZE).
override TURNS: u32 = 1u;

// Columns 2 i and 2 i + 1 as f16, the lower half first.
@group(0) @binding(4) var<storage, read> x: array<u32>;

// Holds x during the products; reused for the partial row sums of each segment.
var<workgroup> staged: array<u32, max(X_WORDS, 4u * SHARES)>;

fn x_at(column: u32) -> f32 {
  return unpack2x16float(staged[column >> 1u] >> (16u * (column & 1u))).x;
}

// Copies all of x, for any `first`: x is not divided into parts here. Called by all lanes of the workgroup, and to be
// followed by a barrier.
fn copy_x(local_index: u32, _first: u32) {
  // Four copies per iteration, so that their loads are in flight together; past the end, the last element again.
  for (var turn = 0u; turn < TURNS; turn++) {
    let a = min(4u * turn * WORKGROUP_SIZE + local_index, X_WORDS - 1u);
    let b = min(a + WORKGROUP_SIZE, X_WORDS - 1u);
    let c = min(b + WORKGROUP_SIZE, X_WORDS - 1u);
    let d = min(c + WORKGROUP_SIZE, X_WORDS - 1u);
    let x_a = x[a];
    let x_b = x[b];
    let x_c = x[c];
    let x_d = x[d];
    staged[a] = x_a;
    staged[b] = x_b;
    staged[c] = x_c;
    staged[d] = x_d;
  }
}

// variant f16 or share_f16 or pairs: x is staged in words of 32 bits.

fn keep_number(i: u32, number: f32) {
  staged[i] = bitcast<u32>(number);
}

fn kept_number(i: u32) -> f32 {
  return bitcast<f32>(staged[i]);
}

// variant f32 or f16 or share_f32 or share_f16: a row has one sum.
// Provides: Sum.

alias Sum = f32;

// variant share_f32 or share_f16: the partial row sums of segments.
// Provides: SHARE_WORDS, keep_sum, kept_sum.

// Words of the results of a segment.
const SHARE_WORDS = 4u;

// Sum of the row that a segment begins inside (`end` 0), or of the row that continues after it (1).
fn keep_sum(share: u32, end: u32, sum: Sum) {
  let at = SHARE_WORDS * share + end;
  keep_number(at, sum);
}

fn kept_sum(share: u32, end: u32) -> Sum {
  let at = SHARE_WORDS * share + end;
  return kept_number(at);
}

// variant pairs or fours: x of two or four tokens as f16, side by side, so that an entry needs one read for all tokens.
// Provides: x_at, copy_x, keep_number, kept_number, store_tokens, Sum, SHARE_WORDS, keep_sum, kept_sum.
// Requires: SHARES, WORKGROUP_SIZE, y, params.

// include common/own_tokens.wgsl: TOKENS, token_start

// The columns from `first` on. Called by all lanes of the workgroup, and to be followed by a barrier. What is copied from
// past the last column belongs to no entry.
fn copy_x(local_index: u32, first: u32) {
  // Four copies per iteration, so that their loads are in flight together; past the end, the last element again.
  for (var turn = 0u; turn < TURNS; turn++) {
    let a = min(4u * turn * WORKGROUP_SIZE + local_index, COLS - 1u);
    let b = min(a + WORKGROUP_SIZE, COLS - 1u);
    let c = min(b + WORKGROUP_SIZE, COLS - 1u);
    let d = min(c + WORKGROUP_SIZE, COLS - 1u);
    let x_a = packed_column(first + a);
    let x_b = packed_column(first + b);
    let x_c = packed_column(first + c);
    let x_d = packed_column(first + d);
    staged[a] = x_a;
    staged[b] = x_b;
    staged[c] = x_c;
    staged[d] = x_d;
  }
}

// variant pairs: two tokens.

// Holds x during the products; reused for the partial row sums of each segment.
var<workgroup> staged: array<u32, max(COLS, SHARE_WORDS * SHARES)>;

fn packed_column(column: u32) -> u32 {
  return pack2x16float(vec2(x[token_start(0u) + column], x[token_start(1u) + column]));
}

fn x_at(column: u32) -> vec2<f32> {
  return unpack2x16float(staged[column]);
}

// The sums of a row, from the first token on; a row of sums per token.
fn store_tokens(at: u32, sums: vec2<f32>) {
  y[at] = sums.x;
  if (TOKENS > 1u) { y[at + params.rows] = sums.y; }
}

// One for each token.
alias Sum = vec2<f32>;
// Words of the results of a segment.
const SHARE_WORDS = 6u;

// Sum of the row that a segment begins inside (`end` 0), or of the row that continues after it (1).
fn keep_sum(share: u32, end: u32, sum: Sum) {
  let at = SHARE_WORDS * share + 2u * end;
  keep_number(at, sum.x);
  keep_number(at + 1u, sum.y);
}

fn kept_sum(share: u32, end: u32) -> Sum {
  let at = SHARE_WORDS * share + 2u * end;
  return Sum(kept_number(at), kept_number(at + 1u));
}

// variant fours: four tokens.

// Holds x during the products; reused for the partial row sums of each segment.
var<workgroup> staged: array<vec2<u32>, max(COLS, SHARE_WORDS / 2u * SHARES)>;

fn packed_column(column: u32) -> vec2<u32> {
  let low = vec2(x[token_start(0u) + column], x[token_start(1u) + column]);
  let high = vec2(x[token_start(2u) + column], x[token_start(3u) + column]);
  return vec2(pack2x16float(low), pack2x16float(high));
}

fn x_at(column: u32) -> vec4<f32> {
  let four = staged[column];
  return vec4(unpack2x16float(four.x), unpack2x16float(four.y));
}

fn keep_number(i: u32, number: f32) {
  staged[i / 2u][i % 2u] = bitcast<u32>(number);
}

fn kept_number(i: u32) -> f32 {
  return bitcast<f32>(staged[i / 2u][i % 2u]);
}

// The sums of a row, from the first token on; a row of sums per token.
fn store_tokens(at: u32, sums: vec4<f32>) {
  y[at] = sums.x;
  if (TOKENS > 1u) { y[at + params.rows] = sums.y; }
  if (TOKENS > 2u) { y[at + 2u * params.rows] = sums.z; }
  if (TOKENS > 3u) { y[at + 3u * params.rows] = sums.w; }
}

// One for each token.
alias Sum = vec4<f32>;
// Words of the results of a segment.
const SHARE_WORDS = 10u;

// Sum of the row that a segment begins inside (`end` 0), or of the row that continues after it (1).
fn keep_sum(share: u32, end: u32, sum: Sum) {
  let at = SHARE_WORDS * share + 4u * end;
  keep_number(at, sum.x);
  keep_number(at + 1u, sum.y);
  keep_number(at + 2u, sum.z);
  keep_number(at + 3u, sum.w);
}

fn kept_sum(share: u32, end: u32) -> Sum {
  let at = SHARE_WORDS * share + 4u * end;
  return Sum(kept_number(at), kept_number(at + 1u), kept_number(at + 2u), kept_number(at + 3u));
}
