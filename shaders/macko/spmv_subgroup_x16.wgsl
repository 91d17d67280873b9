// macko/spmv_subgroup_x16: y = A x, one subgroup per row, x from global memory as f16: half the lines of the cache.
// Source: MACKO paper, section 4.4. Differs: two steps share one scan by shuffles; row edges masked by ordinal, so that
// Inf and NaN in x reach no other row, and only in the first and the last steps of a row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.
// Gives: x_at.
enable subgroups;
// The lanes of a subgroup leave and loop together, since they share the row; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// include common/workgroup_index.wgsl: workgroup_index
// include macko/matrix.wgsl: params, indptr, y, row_scale
// include macko/row_by_subgroup.wgsl: Walk, row_sum

// Columns 2 i and 2 i + 1 as f16, the lower half first.
@group(0) @binding(4) var<storage, read> x: array<u32>;

fn x_at(column: u32) -> f32 {
  return unpack2x16float(x[column >> 1u] >> (16u * (column & 1u))).x;
}

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
  let sum = row_sum(Walk(indptr[row], indptr[row + 1u], lane, lanes));
  if (lane == 0u) {
    y[row] = sum * row_scale(row);
  }
}
