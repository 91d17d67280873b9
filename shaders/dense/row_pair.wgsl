// dense/row_pair: what one lane adds up of two neighbouring rows; the kernels differ in how they sum over lanes.
// Gives: Params, x, y, WORKGROUP_SIZE, ROWS_PER_WORKGROUP, row_pair.

struct Params {
  rows: u32,
  cols: u32,
  stride: u32, // elements from one row to the next, a multiple of 8
}

@group(0) @binding(0) var<uniform> params: Params;

// Columns 4 i .. 4 i + 3. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> x: array<vec4<f32>>;
// One sum per row.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 256u;
// Steps in which every lane has a whole group of eight columns: floor(cols / 8 / WORKGROUP_SIZE).
override FULL_STEPS: u32 = 0u;

const ROWS_PER_WORKGROUP = 2u;

// This lane's part of rows first_row and first_row + 1; the last row takes the place of one that does not exist.
fn row_pair(first_row: u32, local_index: u32) -> vec2<f32> {
  let groups = params.stride / 8u;
  let start = vec2(first_row, min(first_row + 1u, params.rows - 1u)) * groups;
  var sums = vec2(0.0);
  for (var step = 0u; step < FULL_STEPS; step++) {
    let group = step * WORKGROUP_SIZE + local_index;
    let a = load_values(start.x + group);
    let b = load_values(start.y + group);
    let low = x[2u * group];
    let high = x[2u * group + 1u];
    sums += vec2(dot(a.low, low) + dot(a.high, high), dot(b.low, low) + dot(b.high, high));
  }
  for (var group = FULL_STEPS * WORKGROUP_SIZE + local_index; group < groups; group += WORKGROUP_SIZE) {
    // Behind the last column stands a 0, which must not meet an infinity of x.
    let inside = vec4(8u * group) + vec4(0u, 1u, 2u, 3u) < vec4(params.cols);
    let inside_high = vec4(8u * group) + vec4(4u, 5u, 6u, 7u) < vec4(params.cols);
    let a = load_values(start.x + group);
    let b = load_values(start.y + group);
    let low = select(vec4(0.0), x[2u * group], inside);
    let high = select(vec4(0.0), x[2u * group + 1u], inside_high);
    sums += vec2(dot(a.low, low) + dot(a.high, high), dot(b.low, low) + dot(b.high, high));
  }
  return sums;
}

fn store_pair(first_row: u32, sums: vec2<f32>) {
  y[first_row] = sums.x * row_scale(first_row);
  if (first_row + 1u < params.rows) {
    y[first_row + 1u] = sums.y * row_scale(first_row + 1u);
  }
}
