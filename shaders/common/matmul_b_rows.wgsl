// common/matmul_b_rows: operand B stored with a row for each of the columns of C, the sums running along it.
// Gives: load_b.  Takes: params, four_of_b, Block, block_of_lines.

// Four lines at four k. The last line takes the place of those that do not exist; 0 behind the end of the sums, where the
// stored rows are 0 up to a multiple of 4.
fn load_b(line: u32, k: u32) -> Block {
  if (k >= params.k) {
    return Block();
  }
  let last = params.n - 1u;
  return block_of_lines(
    four_of_b((min(line, last) * params.b_stride + k) / 4u),
    four_of_b((min(line + 1u, last) * params.b_stride + k) / 4u),
    four_of_b((min(line + 2u, last) * params.b_stride + k) / 4u),
    four_of_b((min(line + 3u, last) * params.b_stride + k) / 4u),
  );
}
