// slidesparse/spmv_natural: y = A x, two rows per workgroup, four pairs of windows in flight, metadata in the order of windows.
// Source: ours; the 2:4 rows of the SlideSparse paper without sparse tensor cores. Differs: activations are lifted by index.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 1 KiB.
enable subgroups;

// include common/workgroup_index.wgsl: workgroup_index
// include slidesparse/matrix.wgsl: params
// include slidesparse/row_pair.wgsl: WORKGROUP_SIZE, ROWS_PER_WORKGROUP, row_pair
// include slidesparse/metadata_natural.wgsl: lane_nibbles
// include slidesparse/pair_by_subgroup.wgsl: sum_pair

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let first_row = workgroup_index(workgroup_id, num_workgroups) * ROWS_PER_WORKGROUP;
  if (first_row >= params.rows) {
    return;
  }
  sum_pair(first_row, row_pair(first_row, local_index), local_index, lane, lanes);
}
