// common/gemm_i8_subgroup_matrix: Y = Q(X) W^T in i8 with subgroup matrices. A workgroup stages its next operands in workgroup
// memory, as a line of k for every token and for every row of W, and each of its subgroups multiplies 32 tokens by 64 rows.
// Provides: main, params.  Requires: row_words, row_scale.  Workgroup memory: (TILE_M + TILE_N) * (STEP + 16) B or a little more.
// The compiler cannot see that control flow and positions are uniform in a subgroup: they follow from the number
// of the subgroup, which is computed from the number of the lane.
diagnostic(off, chromium.subgroup_matrix_uniformity);

// include common/quantised_tokens.wgsl: params, activations, token_scale
// include common/subgroup_matrices.wgsl#rows_first or #columns_first: Tokens, Rows, Products
// include common/gemm_store.wgsl#fours or #ones: store_four

// Tokens of a workgroup, a multiple of 32, at most 128.
override TILE_M: u32 = 128u;
// Rows of W of a workgroup, a multiple of 64, not fewer than tokens.
override TILE_N: u32 = 128u;
// Bytes of every line that a step stages: 64 or 128.
override STEP: u32 = 64u;
// TILE_M / 32 * TILE_N / 64 subgroups of 32.
override LANES: u32 = 256u;
// Steps of a line: lines of tokens are TURNS * STEP bytes long, padded with zeros.
override TURNS: u32 = 1u;
// How many fours (of words, 16 bytes) of the tokens a lane stages in a step: TILE_M * STEP / 16 / LANES, which is 1, 2, 4 or 8.
override TOKEN_TURNS: u32 = 2u;
// How many fours of the rows of W a lane stages in a step.
override ROW_TURNS: u32 = 2u;
// 1: the operands of the next step are loaded while a step is multiplied; 0: they are loaded just before they are staged.
override AHEAD: u32 = 1u;

// Fours from a staged line to the next, STEP / 16 + 1. Lines are 16 bytes further apart than they are long, so that eight of
// them at the same k are in different banks.
override LINE: u32 = 5u;

const SUBGROUP = 32u;
const SIDE = 16u;
// Bytes of k that a matrix multiplies, and fours of them.
const DEPTH = 32u;
const DEPTH_FOURS = 2u;
const SUBGROUP_M = 32u;
const SUBGROUP_N = 64u;
// Fours of the sums of two matrices side by side, and of one line of them.
const TWO_FOURS = 128u;
const TWO_LINE = 8u;

// After the products, the memory of the lines of W stores the sums of two matrices of every subgroup.
var<workgroup> token_lines: array<vec4<i32>, TILE_M * LINE>;
var<workgroup> row_lines: array<vec4<i32>, max(TILE_N * LINE, LANES / SUBGROUP * TWO_FOURS)>;

// The fours of an operand that a lane stages. Separate members, since in a loop each load would wait for the one before.
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

// The line of the four that a lane stages as number `copy` of a step, its position in the line, and its position in the memory.
fn line_of(lane: u32, copy: u32) -> u32 {
  return (lane + copy * LANES) / (STEP / 16u);
}

fn four_of(lane: u32, copy: u32) -> u32 {
  return (lane + copy * LANES) % (STEP / 16u);
}

fn held_at(lane: u32, copy: u32) -> u32 {
  return line_of(lane, copy) * LINE + four_of(lane, copy);
}

// No tests for the last token, nor for the last row and the end of a line: anything past them is multiplied by 0, or its sums
// are not stored.
fn token_four(first: u32, start: u32, lane: u32, copy: u32) -> vec4<u32> {
  return activations[(first + line_of(lane, copy)) * (TURNS * (STEP / 16u)) + start + four_of(lane, copy)];
}

fn row_four(first: u32, start: u32, lane: u32, copy: u32) -> vec4<u32> {
  return row_words(first + line_of(lane, copy), 4u * (start + four_of(lane, copy)));
}

fn held_tokens(first: u32, start: u32, lane: u32) -> Held {
  var held: Held;
  held.a = token_four(first, start, lane, 0u);
  if (TOKEN_TURNS > 1u) { held.b = token_four(first, start, lane, 1u); }
  if (TOKEN_TURNS > 2u) {
    held.c = token_four(first, start, lane, 2u);
    held.d = token_four(first, start, lane, 3u);
  }
  if (TOKEN_TURNS > 4u) {
    held.e = token_four(first, start, lane, 4u);
    held.f = token_four(first, start, lane, 5u);
    held.g = token_four(first, start, lane, 6u);
    held.h = token_four(first, start, lane, 7u);
  }
  return held;
}

fn held_rows(first: u32, start: u32, lane: u32) -> Held {
  var held: Held;
  held.a = row_four(first, start, lane, 0u);
  if (ROW_TURNS > 1u) { held.b = row_four(first, start, lane, 1u); }
  if (ROW_TURNS > 2u) {
    held.c = row_four(first, start, lane, 2u);
    held.d = row_four(first, start, lane, 3u);
  }
  if (ROW_TURNS > 4u) {
    held.e = row_four(first, start, lane, 4u);
    held.f = row_four(first, start, lane, 5u);
    held.g = row_four(first, start, lane, 6u);
    held.h = row_four(first, start, lane, 7u);
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

// Four sums of a token: integers become numbers, by the scale of the token and the scale of each row.
fn finish_four(token: u32, row: u32, sums: vec4<i32>) {
  let scales = vec4(row_scale(row), row_scale(row + 1u), row_scale(row + 2u), row_scale(row + 3u));
  store_four(token, row, vec4<f32>(sums) * token_scale(token) * scales);
}

// Stores the sums of 16 tokens by 32 rows, from two matrices next to each other in workgroup memory. Neighbouring lanes take
// neighbouring rows.
fn finish_two(token: u32, row: u32, start: u32, four: u32) {
  let lane_token = token + four / TWO_LINE;
  let lane_row = row + 4u * (four % TWO_LINE);
  finish_four(lane_token, lane_row, row_lines[start + four]);
  finish_four(lane_token + 4u, lane_row, row_lines[start + SUBGROUP + four]);
  finish_four(lane_token + 8u, lane_row, row_lines[start + 2u * SUBGROUP + four]);
  finish_four(lane_token + 12u, lane_row, row_lines[start + 3u * SUBGROUP + four]);
}

// The compiler puts a test of its bounds around every matrix that is loaded or stored, which drivers leave out where
// they see that it is always true: in this function alone, and where positions are sums and products of the lane's
// number. A mask, or a function around the load, doubles the time of the whole.
@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.tokens || first.y >= params.rows) {
    return;
  }
  let subgroup = lane / SUBGROUP;
  let m = subgroup / (TILE_N / SUBGROUP_N) * SUBGROUP_M;
  let n = subgroup % (TILE_N / SUBGROUP_N) * SUBGROUP_N;
  // Not an array: an index that is not a constant would send it to memory.
  var upper0: Products;
  var upper1: Products;
  var upper2: Products;
  var upper3: Products;
  var lower0: Products;
  var lower1: Products;
  var lower2: Products;
  var lower3: Products;
  var tokens = held_tokens(first.x, 0u, lane);
  var rows = held_rows(first.y, 0u, lane);
  for (var step = 0u; step < TURNS; step++) {
    if (AHEAD == 0u) {
      tokens = held_tokens(first.x, step * (STEP / 16u), lane);
      rows = held_rows(first.y, step * (STEP / 16u), lane);
    }
    workgroupBarrier();
    stage_tokens(tokens, lane);
    stage_rows(rows, lane);
    workgroupBarrier();
    if (AHEAD > 0u) {
      // After the last step, its operands are loaded again, but not staged.
      let next = min(step + 1u, TURNS - 1u) * (STEP / 16u);
      tokens = held_tokens(first.x, next, lane);
      rows = held_rows(first.y, next, lane);
    }
    for (var i = 0u; i < STEP / DEPTH; i++) {
      let upper = subgroupMatrixLoad<Tokens, row_major>(&token_lines, m * LINE + i * DEPTH_FOURS, LINE);
      let lower = subgroupMatrixLoad<Tokens, row_major>(&token_lines, (m + SIDE) * LINE + i * DEPTH_FOURS, LINE);
      let rows0 = subgroupMatrixLoad<Rows, col_major>(&row_lines, n * LINE + i * DEPTH_FOURS, LINE);
      upper0 = subgroupMatrixMultiplyAccumulate(upper, rows0, upper0);
      lower0 = subgroupMatrixMultiplyAccumulate(lower, rows0, lower0);
      let rows1 = subgroupMatrixLoad<Rows, col_major>(&row_lines, (n + SIDE) * LINE + i * DEPTH_FOURS, LINE);
      upper1 = subgroupMatrixMultiplyAccumulate(upper, rows1, upper1);
      lower1 = subgroupMatrixMultiplyAccumulate(lower, rows1, lower1);
      let rows2 = subgroupMatrixLoad<Rows, col_major>(&row_lines, (n + 2u * SIDE) * LINE + i * DEPTH_FOURS, LINE);
      upper2 = subgroupMatrixMultiplyAccumulate(upper, rows2, upper2);
      lower2 = subgroupMatrixMultiplyAccumulate(lower, rows2, lower2);
      let rows3 = subgroupMatrixLoad<Rows, col_major>(&row_lines, (n + 3u * SIDE) * LINE + i * DEPTH_FOURS, LINE);
      upper3 = subgroupMatrixMultiplyAccumulate(upper, rows3, upper3);
      lower3 = subgroupMatrixMultiplyAccumulate(lower, rows3, lower3);
    }
  }
  // The sums go through workgroup memory, two matrices at a time. `at` is the subgroup's first token and first row.
  let at = first + vec2(m, n);
  let four = lane % SUBGROUP;
  let start = subgroup * TWO_FOURS;
  workgroupBarrier();
  subgroupMatrixStore<row_major>(&row_lines, subgroup * TWO_FOURS, upper0, TWO_LINE);
  subgroupMatrixStore<row_major>(&row_lines, subgroup * TWO_FOURS + 4u, upper1, TWO_LINE);
  workgroupBarrier();
  finish_two(at.x, at.y, start, four);
  workgroupBarrier();
  subgroupMatrixStore<row_major>(&row_lines, subgroup * TWO_FOURS, upper2, TWO_LINE);
  subgroupMatrixStore<row_major>(&row_lines, subgroup * TWO_FOURS + 4u, upper3, TWO_LINE);
  workgroupBarrier();
  finish_two(at.x, at.y + 2u * SIDE, start, four);
  workgroupBarrier();
  subgroupMatrixStore<row_major>(&row_lines, subgroup * TWO_FOURS, lower0, TWO_LINE);
  subgroupMatrixStore<row_major>(&row_lines, subgroup * TWO_FOURS + 4u, lower1, TWO_LINE);
  workgroupBarrier();
  finish_two(at.x + SIDE, at.y, start, four);
  workgroupBarrier();
  subgroupMatrixStore<row_major>(&row_lines, subgroup * TWO_FOURS, lower2, TWO_LINE);
  subgroupMatrixStore<row_major>(&row_lines, subgroup * TWO_FOURS + 4u, lower3, TWO_LINE);
  workgroupBarrier();
  finish_two(at.x + SIDE, at.y + 2u * SIDE, start, four);
}
