// common/matmul_a_f16: operand A in f16, two in a word, the lower half first.
// Gives: four_of_a.

// Four values each; stored rows begin on a whole number of them.
@group(0) @binding(1) var<storage, read> a_values: array<vec2<u32>>;

fn four_of_a(four: u32) -> vec4<f32> {
  let words = a_values[four];
  return vec4(unpack2x16float(words.x), unpack2x16float(words.y));
}
