// common/matmul_b_columns: operand B stored with a row for each k, the columns of C lying along it.
// Gives: load_b.

// include common/matmul_sizes.wgsl: params
// include common/matmul_b_bf16.wgsl: four_of_b
// include common/gemm_staging.wgsl: Block

// 0 behind the end of the sums, and for lines that lie behind the stored row.
fn b_at_k(line: u32, k: u32) -> vec4<f32> {
  if (k >= params.k || line >= params.b_stride) {
    return vec4<f32>();
  }
  return four_of_b((k * params.b_stride + line) / 4u);
}

// Four lines at four k.
fn load_b(line: u32, k: u32) -> Block {
  return Block(b_at_k(line, k), b_at_k(line, k + 1u), b_at_k(line, k + 2u), b_at_k(line, k + 3u));
}
