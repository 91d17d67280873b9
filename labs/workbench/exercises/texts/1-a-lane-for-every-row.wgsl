// Exercise 1: y = A x, one lane for every row.

struct Params {
  rows: u32,
  cols: u32,
  nnz: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// The non-zeros, one row after the other.
@group(0) @binding(1) var<storage, read> data: array<f32>;
// The column of each.
@group(0) @binding(2) var<storage, read> indices: array<u32>;
// Entries before each row: row i has the entries from indptr[i] up to indptr[i + 1], without that one.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
// One per column.
@group(0) @binding(4) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;
// Rows that a workgroup is responsible for: says how many workgroups are dispatched.
override ROWS_PER_WORKGROUP: u32 = WORKGROUP_SIZE;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let workgroup = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  let row = workgroup * ROWS_PER_WORKGROUP + lane;
  if (row >= params.rows) {
    return;
  }
  var sum = 0.0;
  // START: a reader begins with these lines, without their slashes; SOLUTION to END replaces them.
  // // Your turn: add up what the entries of this row give.
  // SOLUTION
  let end = indptr[row + 1u];
  for (var entry = indptr[row]; entry < end; entry++) {
    sum += data[entry] * x[indices[entry]];
  }
  // END
  y[row] = sum;
}
