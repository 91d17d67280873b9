// common/gemm_rows: a row-major matrix W as the second operand of Y = X W^T.
// Gives: load_b.  Takes: params, load_weights, Block, block_of_lines.

// Four rows at four columns. The last row takes the place of those that do not exist; 0 behind the end of a row.
fn load_b(row: u32, column: u32) -> Block {
  if (column >= params.stride) {
    return Block();
  }
  let last = params.rows - 1u;
  return block_of_lines(
    load_weights((min(row, last) * params.stride + column) / 4u),
    load_weights((min(row + 1u, last) * params.stride + column) / 4u),
    load_weights((min(row + 2u, last) * params.stride + column) / 4u),
    load_weights((min(row + 3u, last) * params.stride + column) / 4u),
  );
}
