// ec-csr/spmv: y = A x, block by block, of up to eight rows.

// variant subgroup: LANES lanes of a subgroup per block; every gather of x feeds all rows of its block.
// Source: EC-SpMV paper, section 7. Differs: lane offsets, since the offsets of its listing are wrong. Sums of blocks
// that meet in a row are stored separately and are added in a fixed order by ec-csr/sum_rows, not by atomics.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = per set ceil(blocks / blocks per workgroup), folded into y above 65535.  Needs: subgroups.
// Workgroup memory: 0 B.
//
// `goal`: the index in `partials` where a row's sum is stored by `give_sum`. It is read before the block is computed, so
// that nothing waits for it at the end. In a subgroup narrower than LANES, every lane does the work of several, one after
// the other.

// include common/workgroup_index.wgsl: workgroup_index
// include ec-csr/sets.wgsl: BlockSet, LANES, GRANULARITIES, share_of
// include ec-csr/rows_1.wgsl: lane_sum_1
// include ec-csr/rows_2.wgsl: lane_sums_2
// include ec-csr/rows_4.wgsl: lane_sums_4
// include ec-csr/rows_8.wgsl: lane_sums_8
// include ec-csr/block_sums.wgsl: give_1, give_2, give_4, give_8
// include ec-csr/sums.wgsl: target_of, give_sum

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 128u;

// The lanes that compute a block together. Lanes without a block take part too, since shuffles need all lanes.
struct Group {
  block: u32, // index in its set
  lane: u32, // of this invocation in the group
  lanes: u32, // how many lanes the group has
  has_block: bool,
}

// compute_G adds up a block of G rows. "first" is the block's first row among the rows of all blocks, "blocks" is the set
// of the block.

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
  let blocks = share.blocks; // the set; its field `blocks` is the number of its blocks
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

// variant workgroup: LANES lanes of a workgroup per block, sums through its memory.
// Source: EC-SpMV paper, section 7. Differs: lane offsets, since the offsets of its listing are wrong; sums of blocks
// that meet in a row are stored separately and are added in a fixed order by ec-csr/sum_rows, not by atomics.
// Lanes: any; subgroups are not used.
// Dispatch: x = per set ceil(blocks / blocks per workgroup), folded into y above 65535.  Needs: nothing.
// Workgroup memory: 32 B per lane.

// include common/workgroup_index.wgsl: workgroup_index
// include ec-csr/sets.wgsl: BlockSet, LANES, GRANULARITIES, share_of
// include ec-csr/rows_1.wgsl: lane_sum_1
// include ec-csr/rows_2.wgsl: lane_sums_2
// include ec-csr/rows_4.wgsl: lane_sums_4
// include ec-csr/rows_8.wgsl: lane_sums_8
// include ec-csr/sums.wgsl: target_of, give_sum

// Lanes per workgroup, a power of two and at least LANES.
override WORKGROUP_SIZE: u32 = 64u;

// For every block of the workgroup eight rows of LANES sums: neighbouring lanes use different banks of the memory.
var<workgroup> addends: array<f32, 8u * WORKGROUP_SIZE>;

// Stores a lane's sum of one row for the lanes that add up the row.
fn keep(at: u32, sum: f32) {
  addends[at] = sum;
}

// Stores a lane's sums of four rows; `at` is for the first one.
fn keep_four(at: u32, sums: vec4<f32>) {
  keep(at, sums.x);
  keep(at + LANES, sums.y);
  keep(at + 2u * LANES, sums.z);
  keep(at + 3u * LANES, sums.w);
}

// Computes a lane's sums of a block; `at`: where its sum of the first row is stored.
fn keep_lane_sums(blocks: BlockSet, block: u32, lane: u32, at: u32) {
  if ((GRANULARITIES & 8u) != 0u && blocks.granularity == 8u) {
    let sums = lane_sums_8(blocks, block, lane);
    keep_four(at, sums[0]);
    keep_four(at + 4u * LANES, sums[1]);
  } else if ((GRANULARITIES & 4u) != 0u && blocks.granularity == 4u) {
    keep_four(at, lane_sums_4(blocks, block, lane));
  } else if ((GRANULARITIES & 2u) != 0u && blocks.granularity == 2u) {
    let sums = lane_sums_2(blocks, block, lane);
    keep(at, sums.x);
    keep(at + LANES, sums.y);
  } else if ((GRANULARITIES & 1u) != 0u) {
    keep(at, lane_sum_1(blocks, block, lane));
  }
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let share = share_of(workgroup_index(workgroup_id, num_workgroups), WORKGROUP_SIZE / LANES);
  let blocks = share.blocks; // the set; its field `blocks` is the number of its blocks
  if (share.first >= blocks.blocks) {
    return;
  }
  let block_of_workgroup = local_index / LANES;
  let block = share.first + block_of_workgroup;
  let lane = local_index % LANES;
  // Rows of the block that this lane helps to add up, with as many lanes to a row as there are, up to eight. Example: 32
  // lanes and a block of 8 rows have 4 parts to a row. Lane 5 is part 1 of row 1: it adds sums 1, 5, 9 .. 29 of that row
  // into the first of them, and lane 4, part 0, then adds the 4 parts and stores the sum.
  let rows = select(0u, blocks.granularity, block < blocks.blocks);
  let parts = clamp(LANES / blocks.granularity, 1u, 8u);
  let part = lane % parts;
  let first_row = lane / parts;
  let block_row = blocks.row_indices_at + block * blocks.granularity;
  // Read before the block is computed, so that nothing waits for it at the end.
  var goal = 0u;
  if (first_row < rows) {
    goal = target_of(block_row + first_row);
  }
  let at = 8u * LANES * block_of_workgroup;
  if (rows > 0u) {
    keep_lane_sums(blocks, block, lane, at + lane);
  }
  workgroupBarrier();
  for (var row = first_row; row < rows; row += LANES / parts) {
    let part_at = at + LANES * row + part;
    var sum = 0.0;
    for (var l = 0u; l < LANES; l += parts) { sum += addends[part_at + l]; }
    addends[part_at] = sum;
  }
  workgroupBarrier();
  for (var row = first_row; row < rows && part == 0u; row += LANES / parts) {
    var sum = 0.0;
    for (var i = 0u; i < parts; i++) { sum += addends[at + LANES * row + i]; }
    if (row != first_row) {
      goal = target_of(block_row + row);
    }
    give_sum(goal, sum);
  }
}
