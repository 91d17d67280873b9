// slidesparse/gemm_i8: Y = Q(X) W^T with slid weights in i8 and lifted activations, a tile per workgroup: exact integers,
// scaled once at the end.
// Source: SlideSparse paper, section 4, without sparse tensor cores. Differs: windows become whole words while they are
// staged, so that a word of weights meets a word of lifted activations, zeros included.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: load_b.

// include common/gemm_quantised.wgsl: main, params, Words
// include common/row_scale.wgsl#at_5: row_scale
// include common/gemm_staging.wgsl: Block, block_of_lines
// include slidesparse/window_words.wgsl: window_words

// Four rows at four windows. Past the last row, the last one is read again; 0 past the end of a row.
fn load_b(row: u32, window: u32) -> Block {
  if (window >= params.stride) {
    return Block();
  }
  let last = params.rows - 1u;
  return block_of_lines(
    window_words(min(row, last) * params.stride + window),
    window_words(min(row + 1u, last) * params.stride + window),
    window_words(min(row + 2u, last) * params.stride + window),
    window_words(min(row + 3u, last) * params.stride + window),
  );
}
