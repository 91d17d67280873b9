// common/matmul_a_columns: operand A stored with a row for each k, the rows of C lying along it.
// Gives: load_a.

// include common/matmul_sizes.wgsl: params
// include common/matmul_a_f32.wgsl: four_of_a
// include common/gemm_staging.wgsl: Block

// 0 behind the end of the sums, and for lines that lie behind the stored row.
fn a_at_k(line: u32, k: u32) -> vec4<f32> {
  if (k >= params.k || line >= params.a_stride) {
    return vec4<f32>();
  }
  return four_of_a((k * params.a_stride + line) / 4u);
}

// Four lines at four k.
fn load_a(line: u32, k: u32) -> Block {
  return Block(a_at_k(line, k), a_at_k(line, k + 1u), a_at_k(line, k + 2u), a_at_k(line, k + 3u));
}
