// y = A x on the arrays of CSR: a lane for each row.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.
// Generated before this text: params, x, y, and a function for each array, such as values_at(i).

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;
// Rows that a workgroup is responsible for: says how many workgroups are dispatched.
override ROWS_PER_WORKGROUP: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let workgroup = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  let row = workgroup * ROWS_PER_WORKGROUP + lane;
  if (lane >= ROWS_PER_WORKGROUP || row >= params.rows) {
    return;
  }
  var sum = 0.0;
  let end = starts_at(row + 1u);
  for (var i = starts_at(row); i < end; i++) {
    let value = values_at(i);
    // A value too small for its type was stored as 0. NaN is no zero: with != it might be skipped.
    if (!(value == 0.0)) {
      sum = fma(value, x[columns_at(i)], sum);
    }
  }
  y[row] = sum;
}
