// twell/up_dot: products of a token of x with a neuron's row of Wu, shared out to lanes.
// Gives: dot_part.

// include twell/token_sizes.wgsl: params

// bf16, eight of a token each, the first of two in the lower half of a word.
@group(0) @binding(5) var<storage, read> x: array<vec4<u32>>;
// bf16, eight of a neuron each.
@group(0) @binding(6) var<storage, read> wu: array<vec4<u32>>;

// This lane's part of the sum: every `lanes`-th group of eight.
fn dot_part(token: u32, neuron: u32, lane: u32, lanes: u32) -> f32 {
  let eights = params.width / 8u;
  var sums = vec4<f32>();
  for (var eight = lane; eight < eights; eight += lanes) {
    let a = x[token * eights + eight];
    let b = wu[neuron * eights + eight];
    // step: up
    sums = fma(bitcast<vec4<f32>>(a << vec4(16u)), bitcast<vec4<f32>>(b << vec4(16u)), sums);
    sums = fma(bitcast<vec4<f32>>(a & vec4(0xffff0000u)), bitcast<vec4<f32>>(b & vec4(0xffff0000u)), sums);
  }
  return (sums.x + sums.y) + (sums.z + sums.w);
}
