// twell/spmv_workgroup: y = A x, one workgroup per row, neighbouring lanes on neighbouring slots.
// Source: TwELL paper, Algorithm 2. Differs: a vector of x in place of up and down projection; lanes share slots, not outputs.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

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
