// common/matmul_a_rows: operand A stored with a row for each of the rows of C, the sums running along it.
// Gives: line_of_a, load_a.

// include common/matmul_sizes.wgsl: params
// include common/matmul_a_bf16.wgsl or common/matmul_a_f16.wgsl or common/matmul_a_f32.wgsl: four_of_a
// include common/gemm_staging.wgsl: Block, block_of_lines

// A line at four k. The last line takes the place of those that do not exist; 0 behind the end of the sums, where the stored
// rows are 0 up to a multiple of 4. No branch, which would wait for what it reads.
fn line_of_a(line: u32, k: u32) -> vec4<f32> {
  let start = min(line, params.m - 1u) * params.a_stride;
  return select(vec4(0.0), four_of_a((start + min(k, params.a_stride - 4u)) / 4u), k < params.k);
}

// Four lines at four k.
fn load_a(line: u32, k: u32) -> Block {
  return block_of_lines(line_of_a(line, k), line_of_a(line + 1u, k), line_of_a(line + 2u, k), line_of_a(line + 3u, k));
}
