// slidesparse/gemm_windows_f16: slid weights in f16 as the second operand of a GEMM: put back where they were before they
// slid, so that the product is as long as the dense one.
// Gives: window_slots, load_b.

// include slidesparse/gemm_sizes.wgsl: params
// include common/gemm_staging.wgsl: Block, block_of_lines

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

// Columns column .. column + 3 of a row, column a multiple of 4. Every pair of columns is seen by the window that begins
// with it and by the one before, except at the ends of a group; a value is in one of the two, and the other has 0. No
// branch, which would wait for what it reads; what lies outside of the row is read and left out.
fn four_columns(row: u32, column: u32) -> vec4<f32> {
  let group = column / 2u / (params.windows_per_group + 1u);
  let pair = column / 2u % (params.windows_per_group + 1u);
  let window = row * params.stride + column / 2u - group;
  let before = window_slots(max(window, 1u) - 1u);
  let here = window_slots(window);
  let after = window_slots(window + 1u);
  let none = vec2<f32>();
  let begins = pair < params.windows_per_group; // a window begins with the first pair; otherwise the second begins a group
  let left = select(none, before.zw, pair > 0u) + select(none, here.xy, begins);
  let right = select(select(none, here.xy, column + 2u < params.cols), here.zw, begins)
    + select(none, after.xy, pair + 1u < params.windows_per_group);
  return select(vec4(0.0), vec4(left, right), column < params.cols);
}

// Four rows at four columns. The last row takes the place of those that do not exist; 0 past the last column.
fn load_b(row: u32, column: u32) -> Block {
  let last = params.rows - 1u;
  return block_of_lines(
    four_columns(min(row, last), column),
    four_columns(min(row + 1u, last), column),
    four_columns(min(row + 2u, last), column),
    four_columns(min(row + 3u, last), column),
  );
}
