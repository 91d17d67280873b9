// common/gemm_activations: activations in f32 as the first operand of Y = X W^T.
// Gives: load_a.  Takes: params, load_four, Block, block_of_lines.

// Four tokens at four columns. The last token takes the place of those that do not exist; 0 behind the last column.
fn load_a(token: u32, column: u32) -> Block {
  if (column >= params.cols) {
    return Block();
  }
  let last = params.tokens - 1u;
  return block_of_lines(
    load_four(min(token, last), column / 4u),
    load_four(min(token + 1u, last), column / 4u),
    load_four(min(token + 2u, last), column / 4u),
    load_four(min(token + 3u, last), column / 4u),
  );
}
