// common/gemm_activations: activations in f32 as the first operand of Y = X W^T.
// Provides: line_of_a, load_a.  Requires: params.

// include common/tokens.wgsl#fours or #ones: load_four
// include common/gemm_staging.wgsl: Block, block_of_lines

// The activations of a token at four columns. Past the last token, the last one is read again; 0 past the last column.
// Without a branch, which would have to wait for the load.
fn line_of_a(token: u32, column: u32) -> vec4<f32> {
  let four = load_four(min(token, params.tokens - 1u), min(column, params.cols - 1u) / 4u);
  return select(vec4(0.0), four, column < params.cols);
}

// The activations of four tokens at four columns.
fn load_a(token: u32, column: u32) -> Block {
  return block_of_lines(
    line_of_a(token, column),
    line_of_a(token + 1u, column),
    line_of_a(token + 2u, column),
    line_of_a(token + 3u, column),
  );
}
