// slidesparse/row_pair: what one lane adds up of two neighbouring rows; the kernels differ in how they sum over lanes.
// Gives: WORKGROUP_SIZE, FULL_STEPS, ROWS_PER_WORKGROUP, pick, window_sum, row_pair, store_pair.
// Takes: kept_values, lane_nibbles, window_x, row_scale.

// Lanes per workgroup, a power of two from 32 on.
override WORKGROUP_SIZE: u32 = 128u;
// Steps in which every lane has eight whole windows: floor(floor(windows / BLOCK) / (WORKGROUP_SIZE / 32)).
override FULL_STEPS: u32 = 0u;

const ROWS_PER_WORKGROUP = 2u;

// The two of four that a window keeps: slot 0, 1 or 2, then slot 1, 2 or 3.
fn pick(four: vec4<f32>, nibble: u32) -> vec2<f32> {
  let first = select(select(four.x, four.y, (nibble & 1u) != 0u), four.z, (nibble & 2u) != 0u);
  let second = select(four.y, select(four.z, four.w, (nibble & 4u) != 0u), (nibble & 8u) != 0u);
  return vec2(first, second);
}

// A kept slot without a non-zero holds 0, which must not meet an infinity. Not `kept != 0`: a NaN is unordered, and stays.
fn window_sum(kept: vec2<f32>, picked: vec2<f32>) -> f32 {
  let products = select(kept * picked, vec2(0.0), kept == vec2(0.0));
  return products.x + products.y;
}

// This lane's part of rows first_row and first_row + 1; the last row takes the place of one that does not exist.
fn row_pair(first_row: u32, local_index: u32) -> vec2<f32> {
  let second_row = min(first_row + 1u, params.rows - 1u);
  let start = vec2(first_row, second_row) * params.windows;
  let lane = local_index % 32u;
  let blocks_per_step = WORKGROUP_SIZE / 32u;
  var block = local_index / 32u;
  var sums = vec2(0.0);
  for (var step = 0u; step < FULL_STEPS; step++) {
    let a = lane_nibbles(first_row, block, lane);
    let b = lane_nibbles(second_row, block, lane);
    let first = block * BLOCK + lane;
    for (var j = 0u; j < 8u; j++) {
      let window = first + 32u * j;
      let four = window_x(window);
      sums += vec2(
        window_sum(kept_values(start.x + window), pick(four, a >> (4u * j))),
        window_sum(kept_values(start.y + window), pick(four, b >> (4u * j))),
      );
    }
    block += blocks_per_step;
  }
  for (; block * BLOCK < params.windows; block += blocks_per_step) {
    let a = lane_nibbles(first_row, block, lane);
    let b = lane_nibbles(second_row, block, lane);
    for (var j = 0u; j < 8u; j++) {
      let window = block * BLOCK + lane + 32u * j;
      if (window < params.windows) {
        let four = window_x(window);
        sums += vec2(
          window_sum(kept_values(start.x + window), pick(four, a >> (4u * j))),
          window_sum(kept_values(start.y + window), pick(four, b >> (4u * j))),
        );
      }
    }
  }
  return sums;
}

fn store_pair(first_row: u32, sums: vec2<f32>) {
  y[first_row] = sums.x * row_scale(first_row);
  if (first_row + 1u < params.rows) {
    y[first_row + 1u] = sums.y * row_scale(first_row + 1u);
  }
}
