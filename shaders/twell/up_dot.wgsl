// twell/up_dot: the product of a token of x with a neuron's row of Wu, divided among lanes.
// Provides: dot_part.

// include twell/token_sizes.wgsl: params

// Eight bf16 values of a token in each element, two in a u32, first in the low half.
@group(0) @binding(5) var<storage, read> x: array<vec4<u32>>;
// Eight bf16 values of a neuron in each element.
@group(0) @binding(6) var<storage, read> wu: array<vec4<u32>>;

// Steps in which every lane has its columns, however many lanes take a neuron: floor(width / 8 / most lanes).
override FULL_STEPS: u32 = 0u;

// The sums, plus eight numbers of a token times eight of a neuron.
fn add_eight(a: vec4<u32>, b: vec4<u32>, sums: vec4<f32>) -> vec4<f32> {
  // step: up
  let even = fma(bitcast<vec4<f32>>(a << vec4(16u)), bitcast<vec4<f32>>(b << vec4(16u)), sums);
  return fma(bitcast<vec4<f32>>(a & vec4(0xffff0000u)), bitcast<vec4<f32>>(b & vec4(0xffff0000u)), even);
}

// This lane's part of the sum: every `lanes`-th group of eight.
fn dot_part(token: u32, neuron: u32, lane: u32, lanes: u32) -> f32 {
  let eights = params.width / 8u;
  let of_token = token * eights;
  let of_neuron = neuron * eights;
  var sums = vec4<f32>();
  // The number of steps is an override, so that the compiler can unroll the loop and all loads are in flight together.
  for (var step = 0u; step < FULL_STEPS; step++) {
    let eight = step * lanes + lane;
    sums = add_eight(x[of_token + eight], wu[of_neuron + eight], sums);
  }
  for (var eight = FULL_STEPS * lanes + lane; eight < eights; eight += lanes) {
    sums = add_eight(x[of_token + eight], wu[of_neuron + eight], sums);
  }
  return (sums.x + sums.y) + (sums.z + sums.w);
}
