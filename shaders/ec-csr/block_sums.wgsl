// ec-csr/block_sums: adds up the sums of the lanes that compute a block together, and stores the sums of its rows.
// Provides: give_1, give_2, give_4, give_8.  Requires: give_sum, target_of.
//
// `first`: the first row of the block among the rows of all blocks. `goal`: where the sum goes that this lane gets.
// Lanes without a block take part too, since shuffles need all lanes.
enable subgroups;
// Control flow is uniform up to the shuffles; the uniformity analysis cannot see that.
diagnostic(off, subgroup_uniformity);

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

// By halves: each lane keeps half of its rows and passes on the others, until it has one: G - 1 shuffles instead of
// G log2 G. Row r ends in the lane whose lowest bits are r.
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

// Stores the sums of four rows; the functions below store the sums of a block of 1, 2, 4 or 8 rows.
fn give_four(first: u32, sums: vec4<f32>) {
  give_sum(target_of(first), sums.x);
  give_sum(target_of(first + 1u), sums.y);
  give_sum(target_of(first + 2u), sums.z);
  give_sum(target_of(first + 3u), sums.w);
}

fn give_1(goal: u32, sum: f32, lane: u32, lanes: u32, has_block: bool) {
  let total = sum_apart(sum, 1u, lanes);
  if (has_block && lane == 0u) {
    give_sum(goal, total);
  }
}

fn give_2(first: u32, goal: u32, sums: vec2<f32>, lane: u32, lanes: u32, has_block: bool) {
  if (lanes >= 2u) {
    let total = sum_apart(halve_2(sums, lane), 2u, lanes);
    if (has_block && lane < 2u) {
      give_sum(goal, total);
    }
  } else if (has_block) {
    give_sum(target_of(first), sums.x);
    give_sum(target_of(first + 1u), sums.y);
  }
}

fn give_4(first: u32, goal: u32, sums: vec4<f32>, lane: u32, lanes: u32, has_block: bool) {
  if (lanes >= 4u) {
    let total = sum_apart(halve_4(sums, lane), 4u, lanes);
    if (has_block && lane < 4u) {
      give_sum(goal, total);
    }
  } else {
    let total = group_sum(sums, lanes);
    if (has_block && lane == 0u) {
      give_four(first, total);
    }
  }
}

fn give_8(first: u32, goal: u32, sums: mat2x4<f32>, lane: u32, lanes: u32, has_block: bool) {
  if (lanes >= 8u) {
    let total = sum_apart(halve_8(sums, lane), 8u, lanes);
    if (has_block && lane < 8u) {
      give_sum(goal, total);
    }
  } else {
    let low = group_sum(sums[0], lanes);
    let high = group_sum(sums[1], lanes);
    if (has_block && lane == 0u) {
      give_four(first, low);
      give_four(first + 4u, high);
    }
  }
}
