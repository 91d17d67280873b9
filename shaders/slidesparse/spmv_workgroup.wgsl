// slidesparse/spmv_workgroup: y = A x, two rows per workgroup, summed through workgroup memory.
// Source: ours; the 2:4 rows of the SlideSparse paper without sparse tensor cores. Differs: activations are lifted by index.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: nothing.  Workgroup memory: 1 KiB.

// include common/workgroup_index.wgsl: workgroup_index
// include slidesparse/matrix.wgsl: params
// include slidesparse/row_pair.wgsl: WORKGROUP_SIZE, ROWS_PER_WORKGROUP, row_pair, store_pair
// include slidesparse/metadata.wgsl#by_lane: lane_nibbles

var<workgroup> lane_sums: array<vec2<f32>, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let first_row = workgroup_index(workgroup_id, num_workgroups) * ROWS_PER_WORKGROUP;
  if (first_row >= params.rows) {
    return;
  }
  lane_sums[local_index] = row_pair(first_row, local_index);
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      lane_sums[local_index] += lane_sums[local_index + distance];
    }
    workgroupBarrier();
  }
  if (local_index == 0u) {
    store_pair(first_row, lane_sums[0]);
  }
}
