// common/matmul_a_rows: operand A stored with a row for each of the rows of C, the sums running along it.
// Gives: load_a.  Takes: params, four_of_a, Block, block_of_lines.

// Four lines at four k. The last line takes the place of those that do not exist; 0 behind the end of the sums, where the
// stored rows are 0 up to a multiple of 4.
fn load_a(line: u32, k: u32) -> Block {
  if (k >= params.k) {
    return Block();
  }
  let last = params.m - 1u;
  return block_of_lines(
    four_of_a((min(line, last) * params.a_stride + k) / 4u),
    four_of_a((min(line + 1u, last) * params.a_stride + k) / 4u),
    four_of_a((min(line + 2u, last) * params.a_stride + k) / 4u),
    four_of_a((min(line + 3u, last) * params.a_stride + k) / 4u),
  );
}
