// csr/spmv_scalar: y = A x, one lane per row, which adds up one entry after the other: the simplest kernel.
// Source: Bell and Garland 2009, CSR (scalar) kernel. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / WORKGROUP_SIZE), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

// include common/workgroup_index.wgsl: workgroup_index
// include common/values.wgsl#f16 or #f32: value_at
// include common/indices.wgsl#16 or #32: index_at

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Entries before row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
// One per column.
@group(0) @binding(4) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let row = workgroup_index(workgroup_id, num_workgroups) * WORKGROUP_SIZE + local_index;
  if (row >= params.rows) {
    return;
  }
  let end = indptr[row + 1u];
  var sum = 0.0;
  for (var entry = indptr[row]; entry < end; entry++) {
    // step: product
    sum += value_at(entry) * x[index_at(entry)];
  }
  // step: sum
  y[row] = sum;
}
