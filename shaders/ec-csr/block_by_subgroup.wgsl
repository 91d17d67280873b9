// ec-csr/block_by_subgroup: blocks whose lanes are lanes of one subgroup.
// Gives: main.  Takes: give_sum, target_of.
// Where a sum goes is read before the block is computed, so that nobody waits for it in the end.
//
// In a subgroup narrower than LANES every lane takes the place of several, one after the other.
enable subgroups;
// All lanes of a subgroup go the same way up to the shuffles; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include ec-csr/sets.wgsl: BlockSet, LANES, GRANULARITIES, share_of
// include ec-csr/rows_1.wgsl: lane_sum_1
// include ec-csr/rows_2.wgsl: lane_sums_2
// include ec-csr/rows_4.wgsl: lane_sums_4
// include ec-csr/rows_8.wgsl: lane_sums_8

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 128u;

// Who computes which block. Lanes without a block go along, since all have to take part in shuffles.
struct Group {
  block: u32,
  lane: u32,
  lanes: u32,
  has_block: bool,
}

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

fn give_four(first: u32, sums: vec4<f32>) {
  give_sum(target_of(first), sums.x);
  give_sum(target_of(first + 1u), sums.y);
  give_sum(target_of(first + 2u), sums.z);
  give_sum(target_of(first + 3u), sums.w);
}

fn compute_1(blocks: BlockSet, group: Group) {
  let goal = target_of(blocks.row_indices_at + group.block);
  var sum = 0.0;
  for (var lane = group.lane; group.has_block && lane < LANES; lane += group.lanes) {
    sum += lane_sum_1(blocks, group.block, lane);
  }
  let total = sum_apart(sum, 1u, group.lanes);
  if (group.has_block && group.lane == 0u) {
    give_sum(goal, total);
  }
}

fn compute_2(blocks: BlockSet, group: Group) {
  let first = blocks.row_indices_at + 2u * group.block;
  let goal = target_of(first + (group.lane & 1u));
  var sums = vec2(0.0);
  for (var lane = group.lane; group.has_block && lane < LANES; lane += group.lanes) {
    sums += lane_sums_2(blocks, group.block, lane);
  }
  if (group.lanes >= 2u) {
    let total = sum_apart(halve_2(sums, group.lane), 2u, group.lanes);
    if (group.has_block && group.lane < 2u) {
      give_sum(goal, total);
    }
  } else if (group.has_block) {
    give_sum(target_of(first), sums.x);
    give_sum(target_of(first + 1u), sums.y);
  }
}

fn compute_4(blocks: BlockSet, group: Group) {
  let first = blocks.row_indices_at + 4u * group.block;
  let goal = target_of(first + (group.lane & 3u));
  var sums = vec4(0.0);
  for (var lane = group.lane; group.has_block && lane < LANES; lane += group.lanes) {
    sums += lane_sums_4(blocks, group.block, lane);
  }
  if (group.lanes >= 4u) {
    let total = sum_apart(halve_4(sums, group.lane), 4u, group.lanes);
    if (group.has_block && group.lane < 4u) {
      give_sum(goal, total);
    }
  } else {
    let total = group_sum(sums, group.lanes);
    if (group.has_block && group.lane == 0u) {
      give_four(first, total);
    }
  }
}

fn compute_8(blocks: BlockSet, group: Group) {
  let first = blocks.row_indices_at + 8u * group.block;
  let goal = target_of(first + (group.lane & 7u));
  var sums = mat2x4<f32>();
  for (var lane = group.lane; group.has_block && lane < LANES; lane += group.lanes) {
    sums += lane_sums_8(blocks, group.block, lane);
  }
  if (group.lanes >= 8u) {
    let total = sum_apart(halve_8(sums, group.lane), 8u, group.lanes);
    if (group.has_block && group.lane < 8u) {
      give_sum(goal, total);
    }
  } else {
    let low = group_sum(sums[0], group.lanes);
    let high = group_sum(sums[1], group.lanes);
    if (group.has_block && group.lane == 0u) {
      give_four(first, low);
      give_four(first + 4u, high);
    }
  }
}

// The blocks of this workgroup. `workgroup` and `subgroup_lanes` are the same for the whole workgroup.
fn subgroup_blocks(workgroup: u32, local_index: u32, subgroup_lane: u32, subgroup_lanes: u32) {
  let lanes = min(LANES, subgroup_lanes);
  let share = share_of(workgroup, WORKGROUP_SIZE / lanes);
  let blocks = share.blocks;
  if (share.first >= blocks.blocks) {
    return;
  }
  let block = share.first + local_index / lanes;
  let group = Group(block, subgroup_lane % lanes, lanes, block < blocks.blocks);
  if ((GRANULARITIES & 8u) != 0u && blocks.granularity == 8u) {
    compute_8(blocks, group);
  } else if ((GRANULARITIES & 4u) != 0u && blocks.granularity == 4u) {
    compute_4(blocks, group);
  } else if ((GRANULARITIES & 2u) != 0u && blocks.granularity == 2u) {
    compute_2(blocks, group);
  } else if ((GRANULARITIES & 1u) != 0u) {
    compute_1(blocks, group);
  }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  subgroup_blocks(workgroup_index(workgroup_id, num_workgroups), local_index, lane, lanes);
}
