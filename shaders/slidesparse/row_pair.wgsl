// slidesparse/row_pair: a lane's sums for two neighbouring rows of windows; kernels differ in how they sum over lanes.
// Provides: WORKGROUP_SIZE, ROWS_PER_WORKGROUP, Sums, row_sums, store_sums.  Requires: lane_nibbles.

// include slidesparse/matrix.wgsl: params, y, BLOCK
// include slidesparse/values.wgsl#f16 or #i8: kept_values
// include slidesparse/window_x.wgsl#fours or #pairs: window_x
// include common/row_scale.wgsl#none or #at_5: row_scale

// Lanes per workgroup, a power of two from 32 on.
override WORKGROUP_SIZE: u32 = 128u;
// Steps in which every lane has eight whole windows: floor(floor(windows / 2 / BLOCK) / (WORKGROUP_SIZE / 32)).
override FULL_STEPS: u32 = 0u;

const ROWS_PER_WORKGROUP = 2u;

// One sum per row.
alias Sums = vec2<f32>;

// The two of the four x of a window that its kept slots select: slot 0, 1 or 2 by bits 0 and 1 of the nibble, then slot 1, 2
// or 3 by bits 2 and 3.
fn pick(four: vec4<f32>, nibble: u32) -> vec2<f32> {
  let first = select(select(four.x, four.y, (nibble & 1u) != 0u), four.z, (nibble & 2u) != 0u);
  let second = select(four.y, select(four.z, four.w, (nibble & 4u) != 0u), (nibble & 8u) != 0u);
  return vec2(first, second);
}

fn add_products(sum: f32, kept: vec2<f32>, picked: vec2<f32>) -> f32 {
  return fma(kept.y, picked.y, fma(kept.x, picked.x, sum));
}

// Adds the products of two neighbouring windows. `left`, `right`: the x of their columns. Their nibbles are the lowest two.
fn add_pair(sum: f32, kept: vec4<f32>, left: vec4<f32>, right: vec4<f32>, nibbles: u32) -> f32 {
  // step: product
  return add_products(add_products(sum, kept.xy, pick(left, nibbles)), kept.zw, pick(right, nibbles >> 4u));
}

// This lane's part of one row where x may be infinite: a kept slot without a non-zero is 0, and 0 times infinity must count as
// 0. Compares with `==`, not `!=`, so that a stored NaN stays.
fn guarded_sum(row: u32, local_index: u32) -> f32 {
  let pairs = params.windows / 2u;
  let lane = local_index % 32u;
  var sum = 0.0;
  for (var block = local_index / 32u; block * BLOCK < pairs; block += WORKGROUP_SIZE / 32u) {
    let nibbles = lane_nibbles(row, block, lane);
    for (var j = 0u; j < 4u; j++) {
      let pair = block * BLOCK + lane + 32u * j;
      if (pair < pairs) {
        let kept = kept_values(row * pairs + pair);
        let slots = nibbles >> (8u * j);
        let picked = vec4(pick(window_x(2u * pair), slots), pick(window_x(2u * pair + 1u), slots >> 4u));
        let guarded = select(picked, vec4(0.0), kept == vec4(0.0));
        sum = add_products(add_products(sum, kept.xy, guarded.xy), kept.zw, guarded.zw);
      }
    }
  }
  return sum;
}

// guarded_sum of two rows. A loop, not two calls: two copies of the code would slow down the sums that do not need it.
fn guarded_sums(rows: vec2<u32>, local_index: u32) -> vec2<f32> {
  var sums = vec2(0.0);
  for (var i = 0u; i < ROWS_PER_WORKGROUP; i++) {
    sums[i] = guarded_sum(rows[i], local_index);
  }
  return sums;
}

// This lane's part of rows first_row and first_row + 1; past the last row, the last one is read again.
fn row_sums(first_row: u32, local_index: u32) -> Sums {
  let pairs = params.windows / 2u;
  let second_row = min(first_row + 1u, params.rows - 1u);
  let start = vec2(first_row, second_row) * pairs;
  let lane = local_index % 32u;
  let blocks_per_step = WORKGROUP_SIZE / 32u;
  var block = local_index / 32u;
  var sums = vec2(0.0);
  for (var step = 0u; step < FULL_STEPS; step++) {
    let first_nibbles = lane_nibbles(first_row, block, lane);
    let second_nibbles = lane_nibbles(second_row, block, lane);
    let first_pair = block * BLOCK + lane;
    for (var j = 0u; j < 4u; j++) {
      let pair = first_pair + 32u * j;
      let left = window_x(2u * pair);
      let right = window_x(2u * pair + 1u);
      sums = vec2(
        add_pair(sums.x, kept_values(start.x + pair), left, right, first_nibbles >> (8u * j)),
        add_pair(sums.y, kept_values(start.y + pair), left, right, second_nibbles >> (8u * j)),
      );
    }
    block += blocks_per_step;
  }
  for (; block * BLOCK < pairs; block += blocks_per_step) {
    let first_nibbles = lane_nibbles(first_row, block, lane);
    let second_nibbles = lane_nibbles(second_row, block, lane);
    for (var j = 0u; j < 4u; j++) {
      let pair = block * BLOCK + lane + 32u * j;
      if (pair < pairs) {
        let left = window_x(2u * pair);
        let right = window_x(2u * pair + 1u);
        sums = vec2(
          add_pair(sums.x, kept_values(start.x + pair), left, right, first_nibbles >> (8u * j)),
          add_pair(sums.y, kept_values(start.y + pair), left, right, second_nibbles >> (8u * j)),
        );
      }
    }
  }
  // 0 times infinity is NaN, so a finite sum contains no such product; rows with other sums are computed again.
  if (any((bitcast<vec2<u32>>(sums) & vec2(0x7f800000u)) == vec2(0x7f800000u))) {
    return guarded_sums(vec2(first_row, second_row), local_index);
  }
  return sums;
}

fn store_sums(first_row: u32, sums: Sums) {
  // step: sum
  y[first_row] = sums.x * row_scale(first_row);
  if (first_row + 1u < params.rows) {
    y[first_row + 1u] = sums.y * row_scale(first_row + 1u);
  }
}
