// slidesparse/gemm_windows_i8: slid weights in i8 as the second operand of a GEMM: every window as a word in the shape of
// its lifted activations.
// Gives: load_b.

// include common/gemm_quantised.wgsl: params, Words
// include common/gemm_staging.wgsl: Block, block_of_lines
// include slidesparse/window_words.wgsl: window_words

// Four rows at four windows. The last row takes the place of those that do not exist; 0 behind the end of a row.
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
