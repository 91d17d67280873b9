// common/gemm_i8_subgroup_matrix: Y = Q(X) W^T in i8 with subgroup matrices: what a workgroup multiplies next lies in workgroup
// memory, a line of k for every token and for every row of W, and each of its subgroups multiplies 32 tokens by 64 rows.
// Gives: main, params.  Takes: row_words, row_scale.  Workgroup memory: (TILE_M + TILE_N) * (STEP + 16) B or a little more.
// Whether control flow and places are the same for a whole subgroup is not seen by the compiler: they follow from the number
// of the subgroup, which is worked out from that of the lane.
diagnostic(off, chromium.subgroup_matrix_uniformity);

// include common/quantised_tokens.wgsl: params, token_words, token_scale
// include common/matrices_rows_first.wgsl or common/matrices_columns_first.wgsl: Tokens, Rows, Products
// include common/gemm_store_fours.wgsl or common/gemm_store_ones.wgsl: store_four

// Tokens of a workgroup, a multiple of 32, at most 128.
override TILE_M: u32 = 128u;
// Rows of W of a workgroup, a multiple of 64, not fewer than tokens.
override TILE_N: u32 = 128u;
// Bytes of a line that are staged at a time, a multiple of 32.
override STEP: u32 = 64u;
// TILE_M / 32 * TILE_N / 64 subgroups of 32.
override LANES: u32 = 256u;
// Turns of staging: lines are so many times STEP bytes long, rounded up.
override TURNS: u32 = 1u;
// Fours of words of the tokens that a lane stages: TILE_M * STEP / 16 / LANES, which is 1, 2, 4 or 8.
override TOKEN_TURNS: u32 = 2u;
// The same of rows of W.
override ROW_TURNS: u32 = 2u;

const SUBGROUP = 32u;
const SIDE = 16u;
const DEPTH = 32u;
const SUBGROUP_M = 32u;
const SUBGROUP_N = 64u;
// Fours of the sums of a matrix.
const MATRIX_FOURS = 64u;

// Lines are 16 bytes further apart than they are long: eight of them at the same k lie in different banks. In the end, those of W
// hold the sums of two matrices of every subgroup.
var<workgroup> token_lines: array<vec4<i32>, TILE_M * (STEP / 16u + 1u)>;
var<workgroup> row_lines: array<vec4<i32>, max(TILE_N * (STEP / 16u + 1u), LANES / SUBGROUP * 2u * MATRIX_FOURS)>;

// What a lane stages of an operand. Not a loop, in which each load would wait for the one before.
struct Held {
  a: vec4<u32>,
  b: vec4<u32>,
  c: vec4<u32>,
  d: vec4<u32>,
  e: vec4<u32>,
  f: vec4<u32>,
  g: vec4<u32>,
  h: vec4<u32>,
}

// Line and word of the four number `turn` of a lane.
fn line_of(lane: u32, turn: u32) -> u32 {
  return (lane + turn * LANES) / (STEP / 16u);
}

fn word_of(lane: u32, turn: u32) -> u32 {
  return 4u * ((lane + turn * LANES) % (STEP / 16u));
}

fn held_at(lane: u32, turn: u32) -> u32 {
  return line_of(lane, turn) * (STEP / 16u + 1u) + word_of(lane, turn) / 4u;
}

fn held_tokens(first: u32, word: u32, lane: u32) -> Held {
  var held: Held;
  held.a = token_words(first + line_of(lane, 0u), word + word_of(lane, 0u));
  if (TOKEN_TURNS > 1u) { held.b = token_words(first + line_of(lane, 1u), word + word_of(lane, 1u)); }
  if (TOKEN_TURNS > 2u) {
    held.c = token_words(first + line_of(lane, 2u), word + word_of(lane, 2u));
    held.d = token_words(first + line_of(lane, 3u), word + word_of(lane, 3u));
  }
  if (TOKEN_TURNS > 4u) {
    held.e = token_words(first + line_of(lane, 4u), word + word_of(lane, 4u));
    held.f = token_words(first + line_of(lane, 5u), word + word_of(lane, 5u));
    held.g = token_words(first + line_of(lane, 6u), word + word_of(lane, 6u));
    held.h = token_words(first + line_of(lane, 7u), word + word_of(lane, 7u));
  }
  return held;
}

fn held_rows(first: u32, word: u32, lane: u32) -> Held {
  var held: Held;
  held.a = row_words(first + line_of(lane, 0u), word + word_of(lane, 0u));
  if (ROW_TURNS > 1u) { held.b = row_words(first + line_of(lane, 1u), word + word_of(lane, 1u)); }
  if (ROW_TURNS > 2u) {
    held.c = row_words(first + line_of(lane, 2u), word + word_of(lane, 2u));
    held.d = row_words(first + line_of(lane, 3u), word + word_of(lane, 3u));
  }
  if (ROW_TURNS > 4u) {
    held.e = row_words(first + line_of(lane, 4u), word + word_of(lane, 4u));
    held.f = row_words(first + line_of(lane, 5u), word + word_of(lane, 5u));
    held.g = row_words(first + line_of(lane, 6u), word + word_of(lane, 6u));
    held.h = row_words(first + line_of(lane, 7u), word + word_of(lane, 7u));
  }
  return held;
}

fn stage_tokens(held: Held, lane: u32) {
  token_lines[held_at(lane, 0u)] = bitcast<vec4<i32>>(held.a);
  if (TOKEN_TURNS > 1u) { token_lines[held_at(lane, 1u)] = bitcast<vec4<i32>>(held.b); }
  if (TOKEN_TURNS > 2u) {
    token_lines[held_at(lane, 2u)] = bitcast<vec4<i32>>(held.c);
    token_lines[held_at(lane, 3u)] = bitcast<vec4<i32>>(held.d);
  }
  if (TOKEN_TURNS > 4u) {
    token_lines[held_at(lane, 4u)] = bitcast<vec4<i32>>(held.e);
    token_lines[held_at(lane, 5u)] = bitcast<vec4<i32>>(held.f);
    token_lines[held_at(lane, 6u)] = bitcast<vec4<i32>>(held.g);
    token_lines[held_at(lane, 7u)] = bitcast<vec4<i32>>(held.h);
  }
}

fn stage_rows(held: Held, lane: u32) {
  row_lines[held_at(lane, 0u)] = bitcast<vec4<i32>>(held.a);
  if (ROW_TURNS > 1u) { row_lines[held_at(lane, 1u)] = bitcast<vec4<i32>>(held.b); }
  if (ROW_TURNS > 2u) {
    row_lines[held_at(lane, 2u)] = bitcast<vec4<i32>>(held.c);
    row_lines[held_at(lane, 3u)] = bitcast<vec4<i32>>(held.d);
  }
  if (ROW_TURNS > 4u) {
    row_lines[held_at(lane, 4u)] = bitcast<vec4<i32>>(held.e);
    row_lines[held_at(lane, 5u)] = bitcast<vec4<i32>>(held.f);
    row_lines[held_at(lane, 6u)] = bitcast<vec4<i32>>(held.g);
    row_lines[held_at(lane, 7u)] = bitcast<vec4<i32>>(held.h);
  }
}

// Places and strides are in elements of the memory, of 16 bytes each. The compiler puts a test of its bounds around every load,
// which drivers leave out only where they see that it always holds: a division here, or a mask, and they do not.
fn tokens_at(token: u32, four: u32) -> Tokens {
  return subgroupMatrixLoad<Tokens, row_major>(&token_lines, token * (STEP / 16u + 1u) + four, STEP / 16u + 1u);
}

// A row of W is a column of this matrix.
fn rows_at(row: u32, four: u32) -> Rows {
  return subgroupMatrixLoad<Rows, col_major>(&row_lines, row * (STEP / 16u + 1u) + four, STEP / 16u + 1u);
}

// Four sums of a token: integers become numbers, by the scale of the token and that of each row.
fn finish_four(token: u32, row: u32, sums: vec4<i32>) {
  let scales = vec4(row_scale(row), row_scale(row + 1u), row_scale(row + 2u), row_scale(row + 3u));
  store_four(token, row, vec4<f32>(sums) * token_scale(token) * scales);
}

// 16 tokens by 32 rows, in two matrices.
fn finish_two(token: u32, row: u32, lane: u32, left: Products, right: Products) {
  let start = lane / SUBGROUP * MATRIX_FOURS;
  workgroupBarrier();
  subgroupMatrixStore<row_major>(&row_lines, start, left, SIDE / 4u);
  subgroupMatrixStore<row_major>(&row_lines, start + LANES / SUBGROUP * MATRIX_FOURS, right, SIDE / 4u);
  workgroupBarrier();
  // Neighbouring lanes take neighbouring rows, eight tokens at a time.
  let four = lane % SUBGROUP;
  let other = start + LANES / SUBGROUP * MATRIX_FOURS;
  let t = token + four / 4u;
  let r = row + 4u * (four % 4u);
  finish_four(t, r, row_lines[start + four]);
  finish_four(t, r + SIDE, row_lines[other + four]);
  finish_four(t + 8u, r, row_lines[start + SUBGROUP + four]);
  finish_four(t + 8u, r + SIDE, row_lines[other + SUBGROUP + four]);
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.tokens || first.y >= params.rows) {
    return;
  }
  let subgroup = lane / SUBGROUP;
  let m = subgroup / (TILE_N / SUBGROUP_N) * SUBGROUP_M;
  let n = subgroup % (TILE_N / SUBGROUP_N) * SUBGROUP_N;
  // Not arrays: an index that is not a constant would send them to memory.
  var upper0: Products;
  var upper1: Products;
  var upper2: Products;
  var upper3: Products;
  var lower0: Products;
  var lower1: Products;
  var lower2: Products;
  var lower3: Products;
  for (var turn = 0u; turn < TURNS; turn++) {
    let word = turn * (STEP / 4u);
    let tokens = held_tokens(first.x, word, lane);
    let rows = held_rows(first.y, word, lane);
    workgroupBarrier();
    stage_tokens(tokens, lane);
    stage_rows(rows, lane);
    workgroupBarrier();
    // Counted one by one, and so unrolled.
    for (var i = 0u; i < STEP / DEPTH; i++) {
      let four = i * (DEPTH / 16u);
      let upper = tokens_at(m, four);
      let lower = tokens_at(m + SIDE, four);
      let rows0 = rows_at(n, four);
      upper0 = subgroupMatrixMultiplyAccumulate(upper, rows0, upper0);
      lower0 = subgroupMatrixMultiplyAccumulate(lower, rows0, lower0);
      let rows1 = rows_at(n + SIDE, four);
      upper1 = subgroupMatrixMultiplyAccumulate(upper, rows1, upper1);
      lower1 = subgroupMatrixMultiplyAccumulate(lower, rows1, lower1);
      let rows2 = rows_at(n + 2u * SIDE, four);
      upper2 = subgroupMatrixMultiplyAccumulate(upper, rows2, upper2);
      lower2 = subgroupMatrixMultiplyAccumulate(lower, rows2, lower2);
      let rows3 = rows_at(n + 3u * SIDE, four);
      upper3 = subgroupMatrixMultiplyAccumulate(upper, rows3, upper3);
      lower3 = subgroupMatrixMultiplyAccumulate(lower, rows3, lower3);
    }
  }
  let at = first + vec2(m, n);
  finish_two(at.x, at.y, lane, upper0, upper1);
  finish_two(at.x, at.y + 2u * SIDE, lane, upper2, upper3);
  finish_two(at.x + SIDE, at.y, lane, lower0, lower1);
  finish_two(at.x + SIDE, at.y + 2u * SIDE, lane, lower2, lower3);
}
