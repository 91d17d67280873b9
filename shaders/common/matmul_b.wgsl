// common/matmul_b: operand B of C = A B: bf16 pairs in a u32, first in the low half; bf16 is the upper half of an f32.
// `// variant NAME` below is a preprocessor directive: the lines after it, up to the next one, belong to that variant.
// A `line` is a column n of C.

// include common/gemm_staging.wgsl: Block

// Four values in each element; every stored row begins at an element.
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

// variant rows: B stored transposed, n x k: k is contiguous.
// Provides: load_b.  Requires: params.

// include common/gemm_staging.wgsl: block_of_lines

// Column `line` of C at four k. Past the last column, the last one is read again. Past params.k the result is 0;
// stored rows are padded with 0 up to a multiple of 4. select instead of a branch, which would wait for the read.
fn line_of_b(line: u32, k: u32) -> vec4<f32> {
  let start = min(line, params.n - 1u) * params.b_stride;
  return select(vec4(0.0), four_of_b((start + min(k, params.b_stride - 4u)) / 4u), k < params.k);
}

// Four columns of C at four k.
fn load_b(line: u32, k: u32) -> Block {
  return block_of_lines(line_of_b(line, k), line_of_b(line + 1u, k), line_of_b(line + 2u, k), line_of_b(line + 3u, k));
}

// variant columns: B stored k x n: n is contiguous.
// Provides: load_b.  Requires: params.

// Four columns of C at one k. 0 past params.k, and past the end of the stored row.
fn b_at_k(line: u32, k: u32) -> vec4<f32> {
  if (k >= params.k || line >= params.b_stride) {
    return vec4<f32>();
  }
  return four_of_b((k * params.b_stride + line) / 4u);
}

// Four columns of C at four k.
fn load_b(line: u32, k: u32) -> Block {
  return Block(b_at_k(line, k), b_at_k(line, k + 1u), b_at_k(line, k + 2u), b_at_k(line, k + 3u));
}
