// macko/subgroup_per_row: y = A x, one subgroup per row.
// Gives: main.
enable subgroups;
// The lanes of a subgroup leave and loop together, since they share the row; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include macko/matrix.wgsl: params, indptr, y, row_scale
// include common/one_sum.wgsl: Sum
// include macko/products.wgsl: group_sum, edge_sum
// include macko/row_by_subgroup.wgsl: Walk, row_sum

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
  let row = workgroup_index(workgroup_id, num_workgroups) * (WORKGROUP_SIZE / lanes) + local_index / lanes;
  if (row >= params.rows) {
    return;
  }
  let sum = row_sum(Walk(indptr[row], indptr[row + 1u], 0u, lane, lanes));
  if (lane == 0u) {
    y[row] = sum * row_scale(row);
  }
}
