// ec-csr/spmv_workgroup: y = A x, blocks of up to eight rows by LANES lanes of a workgroup, sums through its memory.
// Source: EC-SpMV paper, section 7. Differs: lane offsets, since those of its listing are wrong; sums of blocks that
// meet in a row go to places of their own and are added in a fixed order by ec-csr/sum_rows, not by atomics.
// Lanes: any; subgroups are not used.
// Dispatch: x = per set ceil(blocks / blocks per workgroup), folded into y above 65535.  Needs: nothing.
// Workgroup memory: 32 B per lane.

// include common/workgroup_index.wgsl: workgroup_index
// include ec-csr/sets.wgsl: BlockSet, LANES, GRANULARITIES, share_of
// include ec-csr/rows_1.wgsl: lane_sum_1
// include ec-csr/rows_2.wgsl: lane_sums_2
// include ec-csr/rows_4.wgsl: lane_sums_4
// include ec-csr/rows_8.wgsl: lane_sums_8
// include ec-csr/partials.wgsl: target_of, give_sum

// Lanes per workgroup, a power of two and at least LANES.
override WORKGROUP_SIZE: u32 = 64u;

// The sums of every lane: rows 0 to 3, and rows 4 to 7.
var<workgroup> addends: array<mat2x4<f32>, WORKGROUP_SIZE>;

// Rows that the block does not have stay 0.
fn lane_sums(blocks: BlockSet, block: u32, lane: u32) -> mat2x4<f32> {
  if ((GRANULARITIES & 8u) != 0u && blocks.granularity == 8u) {
    return lane_sums_8(blocks, block, lane);
  }
  if ((GRANULARITIES & 4u) != 0u && blocks.granularity == 4u) {
    return mat2x4(lane_sums_4(blocks, block, lane), vec4(0.0));
  }
  if ((GRANULARITIES & 2u) != 0u && blocks.granularity == 2u) {
    return mat2x4(vec4(lane_sums_2(blocks, block, lane), 0.0, 0.0), vec4(0.0));
  }
  if ((GRANULARITIES & 1u) != 0u) {
    return mat2x4(vec4(lane_sum_1(blocks, block, lane), 0.0, 0.0, 0.0), vec4(0.0));
  }
  return mat2x4<f32>();
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
  let block = share.first + local_index / LANES;
  let lane = local_index % LANES;
  if (block < blocks.blocks) {
    addends[local_index] = lane_sums(blocks, block, lane);
  }
  workgroupBarrier();
  for (var distance = LANES / 2u; distance > 0u; distance >>= 1u) {
    if (lane < distance) {
      addends[local_index] += addends[local_index + distance];
    }
    workgroupBarrier();
  }
  // One lane per row where there are enough.
  for (var row = lane; block < blocks.blocks && row < blocks.granularity; row += LANES) {
    let block_row = blocks.row_indices_at + block * blocks.granularity + row;
    give_sum(target_of(block_row), addends[local_index - lane][row / 4u][row % 4u]);
  }
}
