// ec-csr/spmv_subgroup: y = A x, a subgroup per block of up to eight rows; every gather of x feeds all rows of its block.
// Source: EC-SpMV paper, section 7. Differs: lane offsets, since those of its listing are wrong. Sums of blocks that meet in
// a row go to separate places and are added in a fixed order by ec-csr/sum_rows, not by atomics; or they are added to y
// as the blocks end, by compare-and-swap in place of the atomic sum of f32 that WGSL does not have: then the order of sums,
// and so the rounding, is not fixed.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = per set ceil(blocks / blocks per workgroup), folded into y above 65535.  Needs: subgroups.
// Workgroup memory: 0 B.
//
// Where a sum goes is read before the block is computed, so that nobody waits for it in the end. In a subgroup narrower than
// LANES, every lane does the work of several, one after the other.

// include common/workgroup_index.wgsl: workgroup_index
// include ec-csr/sets.wgsl: BlockSet, LANES, GRANULARITIES, share_of
// include ec-csr/rows_1.wgsl: lane_sum_1
// include ec-csr/rows_2.wgsl: lane_sums_2
// include ec-csr/rows_4.wgsl: lane_sums_4
// include ec-csr/rows_8.wgsl: lane_sums_8
// include ec-csr/block_sums.wgsl: give_1, give_2, give_4, give_8
// include ec-csr/sums.wgsl#partials or #compare_and_swap: target_of, give_sum

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 128u;

// Who computes which block. Lanes without a block go along, since all have to take part in shuffles.
struct Group {
  block: u32,
  lane: u32,
  lanes: u32,
  has_block: bool,
}

fn compute_1(blocks: BlockSet, group: Group) {
  let goal = target_of(blocks.row_indices_at + group.block);
  var sum = 0.0;
  for (var lane = group.lane; group.has_block && lane < LANES; lane += group.lanes) {
    sum += lane_sum_1(blocks, group.block, lane);
  }
  give_1(goal, sum, group.lane, group.lanes, group.has_block);
}

fn compute_2(blocks: BlockSet, group: Group) {
  let first = blocks.row_indices_at + 2u * group.block;
  let goal = target_of(first + (group.lane & 1u));
  var sums = vec2(0.0);
  for (var lane = group.lane; group.has_block && lane < LANES; lane += group.lanes) {
    sums += lane_sums_2(blocks, group.block, lane);
  }
  give_2(first, goal, sums, group.lane, group.lanes, group.has_block);
}

fn compute_4(blocks: BlockSet, group: Group) {
  let first = blocks.row_indices_at + 4u * group.block;
  let goal = target_of(first + (group.lane & 3u));
  var sums = vec4(0.0);
  for (var lane = group.lane; group.has_block && lane < LANES; lane += group.lanes) {
    sums += lane_sums_4(blocks, group.block, lane);
  }
  give_4(first, goal, sums, group.lane, group.lanes, group.has_block);
}

fn compute_8(blocks: BlockSet, group: Group) {
  let first = blocks.row_indices_at + 8u * group.block;
  let goal = target_of(first + (group.lane & 7u));
  var sums = mat2x4<f32>();
  for (var lane = group.lane; group.has_block && lane < LANES; lane += group.lanes) {
    sums += lane_sums_8(blocks, group.block, lane);
  }
  give_8(first, goal, sums, group.lane, group.lanes, group.has_block);
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
