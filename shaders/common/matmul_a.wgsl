// common/matmul_a: operand A of C = A B.

// include common/gemm_staging.wgsl: Block

// variant rows_bf16 or rows_f16 or rows_f32: A stored m x k: k is contiguous.
// Provides: line_of_a, load_a.  Requires: params.

// include common/gemm_staging.wgsl: block_of_lines

// Row `line` of C at four k. Past the last row, the last one is read again. Past params.k the result is 0; stored rows
// are padded with 0 up to a multiple of 4. select instead of a branch, which would wait for the read.
fn line_of_a(line: u32, k: u32) -> vec4<f32> {
  let start = min(line, params.m - 1u) * params.a_stride;
  return select(vec4(0.0), four_of_a((start + min(k, params.a_stride - 4u)) / 4u), k < params.k);
}

// Four lines at four k.
fn load_a(line: u32, k: u32) -> Block {
  return block_of_lines(line_of_a(line, k), line_of_a(line + 1u, k), line_of_a(line + 2u, k), line_of_a(line + 3u, k));
}

// variant columns_f32: A stored transposed, k x m: the rows of C are contiguous.
// Provides: load_a.  Requires: params.

// Four rows of C at one k. 0 past params.k, and past the end of the stored row.
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

// variant rows_bf16: bf16 pairs in a u32, first in the low half; bf16 is the upper half of an f32.

// Four values in each element; every stored row begins at an element.
@group(0) @binding(1) var<storage, read> a_values: array<vec2<u32>>;

fn four_of_a(four: u32) -> vec4<f32> {
  let words = a_values[four];
  return vec4(
    bitcast<f32>(words.x << 16u),
    bitcast<f32>(words.x & 0xffff0000u),
    bitcast<f32>(words.y << 16u),
    bitcast<f32>(words.y & 0xffff0000u),
  );
}

// variant rows_f16: f16 pairs in a u32, first in the low half.

// Four values in each element; every stored row begins at an element.
@group(0) @binding(1) var<storage, read> a_values: array<vec2<u32>>;

fn four_of_a(four: u32) -> vec4<f32> {
  let words = a_values[four];
  return vec4(unpack2x16float(words.x), unpack2x16float(words.y));
}

// variant rows_f32 or columns_f32: f32.

// Four values in each element; every stored row begins at an element.
@group(0) @binding(1) var<storage, read> a_values: array<vec4<f32>>;

fn four_of_a(four: u32) -> vec4<f32> {
  return a_values[four];
}
