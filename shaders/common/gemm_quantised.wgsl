// common/gemm_quantised: Y = Q(X) W^T in i8, a tile per workgroup: quantised activations as the first operand, and integer
// sums scaled to f32. Words replace columns: four bytes along the sums.
// Provides: main, params, load_a, finish_four, Words.  Requires: row_scale.

// include common/gemm.wgsl: TILE_M, TILE_N, LANES, multiply_tile, store_tile
// include common/gemm_arithmetic.wgsl#i8: Words, Sums, multiply_add
// include common/gemm_staging.wgsl: Block, block_of_lines
// include common/quantised_tokens.wgsl: params, token_words, token_scale
// include common/gemm_store.wgsl#fours or #ones: store_four

// Four tokens at four words.
fn load_a(token: u32, word: u32) -> Block {
  return block_of_lines(
    token_words(token, word),
    token_words(token + 1u, word),
    token_words(token + 2u, word),
    token_words(token + 3u, word),
  );
}

// Integers become numbers here, by the scale of the token and the scale of each row.
fn finish_four(token: u32, row: u32, sums: Sums) {
  let scales = vec4(row_scale(row), row_scale(row + 1u), row_scale(row + 2u), row_scale(row + 3u));
  store_four(token, row, vec4<f32>(sums) * token_scale(token) * scales);
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.tokens || first.y >= params.rows) {
    return;
  }
  store_tile(first, lane, multiply_tile(first, 0u, params.words, lane));
}
