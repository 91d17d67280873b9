// common/matmul_b: operand B of C = A B in bf16, the upper half of an f32, the first of two in the lower half of a word.

// include common/gemm_staging.wgsl: Block

// Four values each; stored rows begin on a whole number of them.
@group(0) @binding(2) var<storage, read> b_values: array<vec2<u32>>;

fn four_of_b(four: u32) -> vec4<f32> {
  let words = b_values[four];
  return vec4(
    bitcast<f32>(words.x << 16u),
    bitcast<f32>(words.x & 0xffff0000u),
    bitcast<f32>(words.y << 16u),
    bitcast<f32>(words.y & 0xffff0000u),
  );
}

// variant rows: stored with a row for each of the columns of C, the sums running along it.
// Provides: load_b.  Requires: params.

// include common/gemm_staging.wgsl: block_of_lines

// A line at four k. Past the last line, the last one is read again; 0 past the end of the sums, where the stored
// rows are 0 up to a multiple of 4. No branch, which would wait for what it reads.
fn line_of_b(line: u32, k: u32) -> vec4<f32> {
  let start = min(line, params.n - 1u) * params.b_stride;
  return select(vec4(0.0), four_of_b((start + min(k, params.b_stride - 4u)) / 4u), k < params.k);
}

// Four lines at four k.
fn load_b(line: u32, k: u32) -> Block {
  return block_of_lines(line_of_b(line, k), line_of_b(line + 1u, k), line_of_b(line + 2u, k), line_of_b(line + 3u, k));
}

// variant columns: stored with a row for each k, the columns of C lying along it.
// Provides: load_b.  Requires: params.

// 0 past the end of the sums, and for lines past the end of the stored row.
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
