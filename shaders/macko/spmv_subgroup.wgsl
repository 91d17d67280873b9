// macko/spmv_subgroup: y = A x, one subgroup per row, x from global memory as f32 or f16.
// Source: MACKO paper, section 4.4. Differs: two steps share one scan by shuffles; row edges masked by ordinal, so that
// Inf and NaN in x reach no other row, and only in the first and the last steps of a row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.
// Gives: Sum.
enable subgroups;
// The lanes of a subgroup leave and loop together, since they share the row; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include common/x_global.wgsl#f32 or #f16: x_at
// include macko/products.wgsl#vector: params, indptr, y, row_scale, load_values, load_gaps, gap_total, gap_prefix,
//   LARGEST_TOTAL, group_sum, edge_sum
// include macko/row_by_subgroup.wgsl#walk: Walk, row_sum

alias Sum = f32;

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
