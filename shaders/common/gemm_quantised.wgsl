// common/gemm_quantised: Y = Q(X) W^T in i8, a tile per workgroup: sizes, quantised activations as the first operand, and
// what becomes of the integer sums. Words take the place of columns: four bytes along the sums.
// Gives: main, params, load_a, finish_four, Words.  Takes: row_scale.

// include common/gemm.wgsl: TILE_M, TILE_N, LANES, multiply_tile, store_tile
// include common/gemm_i8.wgsl: Words, Sums, multiply_add
// include common/gemm_staging.wgsl: Block, block_of_lines
// include common/gemm_store_fours.wgsl or common/gemm_store_ones.wgsl: store_four

struct Params {
  tokens: u32,
  cols: u32,
  words: u32, // words of a row of activations and of weights, a multiple of 4
  rows: u32,
  stride: u32, // words, or windows, from one row of weights to the next
}

@group(0) @binding(0) var<uniform> params: Params;
// The words of every token, four at a time, then the bits of every token's scale.
@group(0) @binding(1) var<storage, read> activations: array<vec4<u32>>;

// Four tokens at four words. The last token takes the place of those that do not exist; 0 behind the last word.
fn load_a(token: u32, word: u32) -> Block {
  if (word >= params.words) {
    return Block();
  }
  let last = params.tokens - 1u;
  return block_of_lines(
    activations[(min(token, last) * params.words + word) / 4u],
    activations[(min(token + 1u, last) * params.words + word) / 4u],
    activations[(min(token + 2u, last) * params.words + word) / 4u],
    activations[(min(token + 3u, last) * params.words + word) / 4u],
  );
}

// Integers become numbers here, by the scale of the token and that of each row.
fn finish_four(token: u32, row: u32, sums: Sums) {
  let at = params.tokens * params.words + token;
  let scale = bitcast<f32>(activations[at / 4u][at % 4u]);
  let scales = vec4(row_scale(row), row_scale(row + 1u), row_scale(row + 2u), row_scale(row + 3u));
  store_four(token, row, vec4<f32>(sums) * scale * scales);
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.tokens || first.y >= params.rows) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, 0u, params.words, lane));
}
