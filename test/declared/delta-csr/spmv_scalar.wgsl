// delta-csr/spmv_scalar: y = A x, one lane per row, one skip after the other, on generated accessors.
// Dispatch: x = ceil(rows / WORKGROUP_SIZE), folded into y above 65535.

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = (workgroup_id.y * num_workgroups.x + workgroup_id.x) * WORKGROUP_SIZE + lane;
  if (row >= params.rows) {
    return;
  }
  let end = indptr_at(row + 1u);
  var escape = escptr_at(row);
  var next = 0u;
  var sum = 0.0;
  for (var entry = indptr_at(row); entry < end; entry++) {
    var skip = skips_at(entry);
    if (skip == 255u) {
      skip = escapes_at(escape);
      escape++;
    }
    next += skip;
    sum += data_at(entry) * x[next];
    next++;
  }
  y[row] = sum;
}
