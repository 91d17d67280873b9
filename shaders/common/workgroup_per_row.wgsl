// common/workgroup_per_row: y = A x, one workgroup per row, summed through workgroup memory.
// Gives: main.  Takes: params, row_part, y.

// include common/workgroup_index.wgsl: workgroup_index
// include common/workgroup_sum.wgsl: WORKGROUP_SIZE, workgroup_sum

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups);
  if (row >= params.rows) {
    return;
  }
  let sum = workgroup_sum(row_part(row, local_index, WORKGROUP_SIZE), local_index);
  if (local_index == 0u) {
    y[row] = sum;
  }
}
