// dense/spmv_workgroup: y = A x, a few rows per workgroup, summed through workgroup memory.
// Source: GEMV as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane and row.

// include dense/row_pair.wgsl or dense/row_quad.wgsl or dense/row_quad_i4.wgsl or dense/row_quad_digits.wgsl:
//   ROWS_PER_WORKGROUP, Sums, row_sums, store_sums
// include dense/matrix.wgsl: params, WORKGROUP_SIZE
// include common/workgroup_index.wgsl: workgroup_index

var<workgroup> lane_sums: array<Sums, WORKGROUP_SIZE>;

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
  lane_sums[local_index] = row_sums(first_row, local_index);
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      lane_sums[local_index] += lane_sums[local_index + distance];
    }
    workgroupBarrier();
  }
  if (local_index == 0u) {
    store_sums(first_row, lane_sums[0]);
  }
}
