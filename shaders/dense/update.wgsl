// dense/update: W - rate * G, a step of plain gradient descent; a lane for eight weights.
// Source: Robbins and Monro, A stochastic approximation method, equation 8. Differs: weights are rounded to bf16.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(eights / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/bf16_bits.wgsl: bf16_pairs
// include common/workgroup_index.wgsl: workgroup_index

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 128u;

struct Params {
  eights: u32, // number of weights / 8
  share: f32, // the factor of the gradient that is subtracted: the rate
}

@group(0) @binding(0) var<uniform> params: Params;
// Eight bf16 per element, the first of two in the lower half of a word.
@group(0) @binding(1) var<storage, read> weights: array<vec4<u32>>;
// Four gradients per element.
@group(0) @binding(2) var<storage, read> gradients: array<vec4<f32>>;
// The new weights, in the order of the old.
@group(0) @binding(3) var<storage, read_write> updated: array<vec4<u32>>;

// Four weights out of two words, updated.
fn update_four(words: vec2<u32>, gradient: vec4<f32>) -> vec2<u32> {
  let before = vec4(words.x << 16u, words.x & 0xffff0000u, words.y << 16u, words.y & 0xffff0000u);
  return bf16_pairs(fma(vec4(-params.share), gradient, bitcast<vec4<f32>>(before)));
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let i = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  if (i >= params.eights) {
    return;
  }
  let words = weights[i];
  updated[i] = vec4(update_four(words.xy, gradients[2u * i]), update_four(words.zw, gradients[2u * i + 1u]));
}
