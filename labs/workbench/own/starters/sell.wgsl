// y = A x on the arrays of SELL-C-sigma: a lane for each place among the sorted rows, so that the C lanes of a chunk read C
// neighbours in every slot. The order says which row is in a place.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.
// Generated before this text: params, x, y, and a function for each array, such as values_at(i).

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;
// Places that a workgroup is responsible for, as many as rows: says how many workgroups are dispatched.
override ROWS_PER_WORKGROUP: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let workgroup = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  let place = workgroup * ROWS_PER_WORKGROUP + lane;
  if (lane >= ROWS_PER_WORKGROUP || place >= params.rows) {
    return;
  }
  let chunk = place / C;
  let end = starts_at(chunk + 1u);
  var sum = 0.0;
  for (var i = starts_at(chunk) + place % C; i < end; i += C) {
    let value = values_at(i);
    // Padding is 0, at column 0: an infinite x[0] would make it NaN. With != a value that is NaN might be skipped.
    if (!(value == 0.0)) {
      sum = fma(value, x[columns_at(i)], sum);
    }
  }
  y[order_at(place)] = sum;
}
