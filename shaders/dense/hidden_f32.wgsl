// dense/hidden_f32: activations h of a dense matrix in f32, as a factor of what was summed.
// Gives: four_of_h.

// Four values each; rows begin on a whole number of them.
@group(0) @binding(4) var<storage, read> hidden: array<vec4<f32>>;

fn four_of_h(four: u32) -> vec4<f32> {
  return hidden[four];
}
