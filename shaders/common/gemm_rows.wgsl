// common/gemm_rows: a row-major matrix W as the second operand of Y = X W^T.
// Provides: load_b.  Requires: Words, params.

// include common/weights.wgsl#f16 or #f32 or #i8 or #i4 or #words: load_weights
// include common/gemm_staging.wgsl: Block, block_of_lines

// A row at four columns. Past the last row, the last one is read again; 0 past the end of a row. select instead of a
// branch, which would wait for the read.
fn line_of_b(row: u32, column: u32) -> Words {
  let start = min(row, params.rows - 1u) * params.stride;
  return select(Words(), load_weights((start + min(column, params.stride - 4u)) / 4u), column < params.stride);
}

// Four rows at four columns.
fn load_b(row: u32, column: u32) -> Block {
  return block_of_lines(
    line_of_b(row, column),
    line_of_b(row + 1u, column),
    line_of_b(row + 2u, column),
    line_of_b(row + 3u, column),
  );
}
