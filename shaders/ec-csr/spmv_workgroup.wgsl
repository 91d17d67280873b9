// ec-csr/spmv_workgroup: y = A x, blocks of up to eight rows by LANES lanes of a workgroup, sums through its memory.
// Source: EC-SpMV paper, section 7. Differs: lane offsets, since those of its listing are wrong; sums of blocks that
// meet in a row go to separate places and are added in a fixed order by ec-csr/sum_rows, not by atomics.
// Lanes: any; subgroups are not used.
// Dispatch: x = per set ceil(blocks / blocks per workgroup), folded into y above 65535.  Needs: nothing.
// Workgroup memory: 32 B per lane.

// include common/workgroup_index.wgsl: workgroup_index
// include ec-csr/sets.wgsl: BlockSet, LANES, GRANULARITIES, share_of
// include ec-csr/rows_1.wgsl: lane_sum_1
// include ec-csr/rows_2.wgsl: lane_sums_2
// include ec-csr/rows_4.wgsl: lane_sums_4
// include ec-csr/rows_8.wgsl: lane_sums_8
// include ec-csr/sums.wgsl#partials: target_of, give_sum

// Lanes per workgroup, a power of two and at least LANES.
override WORKGROUP_SIZE: u32 = 64u;

// Eight rows for every block of the workgroup, each with the sums of its lanes: banks of neighbouring lanes differ.
var<workgroup> addends: array<f32, 8u * WORKGROUP_SIZE>;

fn keep(at: u32, sum: f32) {
  addends[at] = sum;
}

fn keep_four(at: u32, sums: vec4<f32>) {
  keep(at, sums.x);
  keep(at + LANES, sums.y);
  keep(at + 2u * LANES, sums.z);
  keep(at + 3u * LANES, sums.w);
}

// What a lane adds up of a block; `at` is where its sum of the first row goes.
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
  let blocks = share.blocks;
  if (share.first >= blocks.blocks) {
    return;
  }
  let own = local_index / LANES;
  let block = share.first + own;
  let lane = local_index % LANES;
  // Rows of the block that this lane helps to add up, with as many lanes to a row as there are, up to eight.
  let rows = select(0u, blocks.granularity, block < blocks.blocks);
  let parts = clamp(LANES / blocks.granularity, 1u, 8u);
  let part = lane % parts;
  let first_row = lane / parts;
  let block_row = blocks.row_indices_at + block * blocks.granularity;
  // Read before the block is computed, so that nobody waits for it in the end.
  var goal = 0u;
  if (first_row < rows) {
    goal = target_of(block_row + first_row);
  }
  let at = 8u * LANES * own;
  if (rows > 0u) {
    keep_lane_sums(blocks, block, lane, at + lane);
  }
  workgroupBarrier();
  for (var row = first_row; row < rows; row += LANES / parts) {
    let strip = at + LANES * row + part;
    var sum = 0.0;
    for (var l = 0u; l < LANES; l += parts) { sum += addends[strip + l]; }
    addends[strip] = sum;
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
