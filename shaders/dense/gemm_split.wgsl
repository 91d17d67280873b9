// dense/gemm_split: Y = X W^T with dense weights, sums in f32, a tile and a part of k per workgroup: for products that have too
// few tiles to keep a device busy. A second pass (dense/sum_parts) adds up the parts.
// Source: split-K GEMM as in CUTLASS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M), z = ceil(cols / PART_COLS).  Needs: nothing.
// Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four.

// include common/gemm.wgsl: TILE_M, TILE_N, LANES, multiply_tile, store_tile
// include common/gemm_arithmetic.wgsl#f32: Words, Sums, multiply_add
// include common/gemm_sizes.wgsl: params
// include common/gemm_activations.wgsl: line_of_a, load_a
// include common/gemm_rows.wgsl: load_b
// include common/row_scale.wgsl#none or #at_4: row_scale

// Columns of a part, a multiple of TILE_K.
override PART_COLS: u32 = 512u;

// Four neighbouring sums of a token; ceil(rows / 4) of them to a token, one token after the other, one part after the other.
@group(0) @binding(3) var<storage, read_write> parts: array<vec4<f32>>;

var<private> part: u32;

fn finish_four(token: u32, row: u32, sums: Sums) {
  if (token < params.tokens && row < params.rows) {
    let scales = vec4(row_scale(row), row_scale(row + 1u), row_scale(row + 2u), row_scale(row + 3u));
    parts[(part * params.tokens + token) * ((params.rows + 3u) / 4u) + row / 4u] = sums * scales;
  }
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.tokens || first.y >= params.rows) {
    return;
  }
  part = workgroup_id.z;
  let begin = workgroup_id.z * PART_COLS;
  store_tile(first, lane, multiply_tile(first, begin, min(begin + PART_COLS, params.cols), lane));
}
