// jds/spmv_scalar: y = A x, one lane per row, as decode reads its arrays, on generated accessors.
// Source: decode of its declaration, from which it is printed. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = (workgroup_id.y * num_workgroups.x + workgroup_id.x) * WORKGROUP_SIZE + lane;
  if (i >= params.rows) {
    return;
  }
  var sum = 0.0;
  var j = 0u;
  while ((starts_at(j) + i) < starts_at(j + 1u)) {
    if (!(values_at(starts_at(j) + i) == 0.0)) {
      sum += values_at(starts_at(j) + i) * x[indices_at(starts_at(j) + i)];
    }
    j++;
  }
  y[permutation_at(i)] = sum;
}
