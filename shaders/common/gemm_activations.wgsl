// common/gemm_activations: sizes of Y = X W^T, and activations in f32 as its first operand.
// Gives: Params, params, load_a.  Takes: load_four, Block, block_of_lines.

struct Params {
  tokens: u32, // rows of X and Y
  cols: u32, // columns of X and W
  rows: u32, // rows of W, columns of Y
  stride: u32, // elements from one row of W to the next
}

@group(0) @binding(0) var<uniform> params: Params;

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
