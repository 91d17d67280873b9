// macko/spmv_staged_f32: y = A x, one subgroup per row, many rows per workgroup, x in workgroup memory as f32.
// Source: MACKO paper, section 4.4. Differs: x in workgroup memory, where a gather takes fewer turns than in the cache;
// row edges masked by ordinal, so that Inf and NaN in x reach no other row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 4 B per column.
enable subgroups;
// The lanes of a subgroup loop together, since they share the row; the analysis cannot see that.
diagnostic(off, subgroup_uniformity);

// Columns of the matrix, at least 1.
override COLS: u32 = 1u;

// One per column.
@group(0) @binding(4) var<storage, read> x: array<f32>;

var<workgroup> staged: array<f32, COLS>;

fn x_at(column: u32) -> f32 {
  return staged[column];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  for (var i = local_index; i < COLS; i += WORKGROUP_SIZE) {
    staged[i] = x[i];
  }
  workgroupBarrier();
  multiply_rows(workgroup_index(workgroup_id, num_workgroups), local_index / lanes, lane, lanes);
}
