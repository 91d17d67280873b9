// slidesparse/gemm: Y = X W^T with slid weights in f16, sums in f32, a tile per workgroup.
// Source: SlideSparse paper, section 4, without sparse tensor cores. Differs: weights slide back while they are staged.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four, load_b, params.

// include common/gemm.wgsl: TILE_M, TILE_N, LANES, FOURS, multiply_tile, place_of_four, store_tile
// include common/gemm_arithmetic.wgsl#f32: Words, Sums, multiply_add
// include common/gemm_activations.wgsl: line_of_a, load_a
// include common/tokens.wgsl#fours or #ones: load_four
// include common/gemm_store.wgsl#fours or #ones: store_four
// include common/gemm_staging.wgsl: Block, block_of_lines

// A group of 2N columns of W is stored as N - 1 overlapping windows of four columns, each of which keeps two values. In 6:8
// (N = 4) the windows of columns 0 to 7 are 0 to 3, 2 to 5 and 4 to 7. A value that slides back returns to its column.
struct Params {
  tokens: u32, // rows of X and Y
  cols: u32, // columns of X and W
  rows: u32, // rows of W, columns of Y
  stride: u32, // windows of a row of W
  windows_per_group: u32, // N - 1; not an override, so that one pipeline serves every pattern
}

@group(0) @binding(0) var<uniform> params: Params;

// The two kept values of a window each, the first in the lower half.
@group(0) @binding(2) var<storage, read> weights: array<u32>;
// Eight windows each, low nibble first; a row begins on a word.
@group(0) @binding(4) var<storage, read> metadata: array<u32>;

// The four slots of a window: two kept values, two zeros.
fn window_slots(window: u32) -> vec4<f32> {
  let kept = unpack2x16float(weights[window]);
  let nibble = metadata[window >> 3u] >> (4u * (window & 7u));
  let slots = vec4(0u, 1u, 2u, 3u);
  return select(vec4(0.0), vec4(kept.x), slots == vec4(nibble & 3u))
    + select(vec4(0.0), vec4(kept.y), slots == vec4((nibble >> 2u) & 3u));
}

// Columns column .. column + 3 of a row, two pairs of columns; column is a multiple of 4. A pair is in two windows: it is the
// second half of one, and the first half of the next. The first pair of a group is in its first window only, the last pair
// in its last. A value is stored in one of the two windows and 0 in the other, so the sum of both is right. There is no
// branch, which would wait for the load; anything outside of the row is read and ignored.
fn four_columns(row: u32, column: u32) -> vec4<f32> {
  let group = column / 2u / (params.windows_per_group + 1u);
  let pair = column / 2u % (params.windows_per_group + 1u);
  let window = row * params.stride + column / 2u - group;
  let before = window_slots(max(window, 1u) - 1u);
  let here = window_slots(window);
  let after = window_slots(window + 1u);
  let none = vec2<f32>();
  // Whether a window begins with the first of the two pairs. If not, that pair ends a group, and the second begins the next.
  let window_begins = pair < params.windows_per_group;
  let left = select(none, before.zw, pair > 0u) + select(none, here.xy, window_begins);
  let right = select(select(none, here.xy, column + 2u < params.cols), here.zw, window_begins)
    + select(none, after.xy, pair + 1u < params.windows_per_group);
  return select(vec4(0.0), vec4(left, right), column < params.cols);
}

// Four rows at four columns. Past the last row, the last one is read again; 0 past the last column.
fn load_b(row: u32, column: u32) -> Block {
  let last = params.rows - 1u;
  return block_of_lines(
    four_columns(min(row, last), column),
    four_columns(min(row + 1u, last), column),
    four_columns(min(row + 2u, last), column),
    four_columns(min(row + 3u, last), column),
  );
}

// Whether one of this lane's sums is infinite or NaN.
var<private> has_nonfinite_sum: bool;

fn finish_four(token: u32, row: u32, sums: Sums) {
  let exponent = vec4(0x7f800000u);
  has_nonfinite_sum |= any((bitcast<vec4<u32>>(sums) & exponent) == exponent);
  store_four(token, row, sums);
}

// One sum of the values that are not 0. A window with fewer than two non-zeros keeps a 0, which must not be multiplied with
// an infinity.
fn guarded_sum(token: u32, row: u32) -> f32 {
  var sum = 0.0;
  for (var window = 0u; window < params.stride; window++) {
    let slots = window_slots(row * params.stride + window);
    let first = 2u * (window + window / params.windows_per_group);
    for (var i = 0u; i < 4u; i++) {
      let column = first + i;
      // Not `!= 0`: a NaN is unordered, and stays.
      if (column < params.cols && !(slots[i] == 0.0)) {
        sum = fma(slots[i], load_four(token, column / 4u)[column % 4u], sum);
      }
    }
  }
  return sum;
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.tokens || first.y >= params.rows) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, 0u, params.cols, lane));
  // Zeros were multiplied, too, and 0 times infinity is NaN. So if a sum is not finite, this lane computes its sums once
  // more, without zeros.
  if (has_nonfinite_sum) {
    let last = vec2(params.tokens, params.rows) - 1u;
    for (var i = 0u; i < FOURS; i++) {
      let at = first + place_of_four(lane, i);
      var sums: vec4<f32>;
      for (var j = 0u; j < 4u; j++) {
        sums[j] = guarded_sum(min(at.x, last.x), min(at.y + j, last.y));
      }
      store_four(at.x, at.y, sums);
    }
  }
}
