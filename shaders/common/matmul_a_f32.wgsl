// common/matmul_a_f32: operand A in f32.
// Gives: four_of_a.

// Four values each; stored rows begin on a whole number of them.
@group(0) @binding(1) var<storage, read> a_values: array<vec4<f32>>;

fn four_of_a(four: u32) -> vec4<f32> {
  return a_values[four];
}
