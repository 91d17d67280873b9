// ec-csr/clear: y = 0, one lane per row, before sums are added to it.
// Source: ours. Differs: the paper does not say who clears y.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index

struct RowParams {
  rows: u32,
}

@group(0) @binding(0) var<uniform> params: RowParams;
// One sum per row.
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  if (row < params.rows) {
    y[row] = 0.0;
  }
}
