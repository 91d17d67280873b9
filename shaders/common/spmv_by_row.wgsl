// common/spmv_by_row: y = A x, several lanes per row.

// include common/workgroup_index.wgsl: workgroup_index

// variant subgroup: one subgroup per row.
// Provides: main.  Requires: params, row_part, y.
enable subgroups;
// The lanes of a subgroup leave together, since they share the row; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 128u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  // As many rows per workgroup as it has subgroups: subgroups narrower than planned leave workgroups without work.
  let row = workgroup_index(workgroup_id, num_workgroups) * (WORKGROUP_SIZE / lanes) + local_index / lanes;
  if (row >= params.rows) {
    return;
  }
  let sum = subgroupAdd(row_part(row, lane, lanes));
  if (lane == 0u) {
    y[row] = sum;
  }
}

// variant workgroup: one workgroup per row, summed through workgroup memory.
// Provides: main.  Requires: params, row_part, y.

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
