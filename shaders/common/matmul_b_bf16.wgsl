// common/matmul_b_bf16: operand B in bf16, the upper half of an f32, the first of two in the lower half of a word.
// Gives: four_of_b.

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
