// common/matmul_b_rows: operand B stored with a row for each of the columns of C, the sums running along it.
// Gives: load_b.

// include common/matmul_sizes.wgsl: params
// include common/matmul_b_bf16.wgsl: four_of_b
// include common/gemm_staging.wgsl: Block, block_of_lines

// A line at four k. The last line takes the place of those that do not exist; 0 behind the end of the sums, where the stored
// rows are 0 up to a multiple of 4. No branch, which would wait for what it reads.
fn line_of_b(line: u32, k: u32) -> vec4<f32> {
  let start = min(line, params.n - 1u) * params.b_stride;
  return select(vec4(0.0), four_of_b((start + min(k, params.b_stride - 4u)) / 4u), k < params.k);
}

// Four lines at four k.
fn load_b(line: u32, k: u32) -> Block {
  return block_of_lines(line_of_b(line, k), line_of_b(line + 1u, k), line_of_b(line + 2u, k), line_of_b(line + 3u, k));
}
