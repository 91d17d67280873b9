// ec-csr/halving: the sums of several rows over the lanes of a group, by shuffles.
// Gives: group_sum, sum_apart, halve_2, halve_4, halve_8.

// The sum over the group for each component, in all of its lanes.
fn group_sum(value: vec4<f32>, lanes: u32) -> vec4<f32> {
  var sum = value;
  if (lanes > 1u) { sum += subgroupShuffleXor(sum, 1u); }
  if (lanes > 2u) { sum += subgroupShuffleXor(sum, 2u); }
  if (lanes > 4u) { sum += subgroupShuffleXor(sum, 4u); }
  if (lanes > 8u) { sum += subgroupShuffleXor(sum, 8u); }
  if (lanes > 16u) { sum += subgroupShuffleXor(sum, 16u); }
  return sum;
}

// The same for one sum, over lanes whose numbers agree modulo `apart`, a power of two.
fn sum_apart(value: f32, apart: u32, lanes: u32) -> f32 {
  var sum = value;
  if (apart <= 1u && lanes > 1u) { sum += subgroupShuffleXor(sum, 1u); }
  if (apart <= 2u && lanes > 2u) { sum += subgroupShuffleXor(sum, 2u); }
  if (apart <= 4u && lanes > 4u) { sum += subgroupShuffleXor(sum, 4u); }
  if (apart <= 8u && lanes > 8u) { sum += subgroupShuffleXor(sum, 8u); }
  if (lanes > 16u) { sum += subgroupShuffleXor(sum, 16u); }
  return sum;
}

// Halving: each lane keeps half of its rows and hands over the others, until it has one: G - 1 shuffles in the place
// of G log2 G. Row r ends in the lane whose lowest bits are r.
fn halve_2(sums: vec2<f32>, lane: u32) -> f32 {
  let upper = (lane & 1u) != 0u;
  return select(sums.x, sums.y, upper) + subgroupShuffleXor(select(sums.y, sums.x, upper), 1u);
}

fn halve_4(sums: vec4<f32>, lane: u32) -> f32 {
  let upper = (lane & 2u) != 0u;
  return halve_2(select(sums.xy, sums.zw, upper) + subgroupShuffleXor(select(sums.zw, sums.xy, upper), 2u), lane);
}

fn halve_8(sums: mat2x4<f32>, lane: u32) -> f32 {
  let upper = (lane & 4u) != 0u;
  return halve_4(select(sums[0], sums[1], upper) + subgroupShuffleXor(select(sums[1], sums[0], upper), 4u), lane);
}
