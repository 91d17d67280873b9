// Exercise 2: y = A x, one workgroup for every row.

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
override WORKGROUP_SIZE: u32 = 128u;
// Rows that a workgroup is responsible for: says how many workgroups are dispatched.
override ROWS_PER_WORKGROUP: u32 = 1u;

// What each lane has added up.
var<workgroup> parts: array<f32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let workgroup = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  let row = workgroup;
  if (row >= params.rows) {
    return;
  }
  let end = indptr[row + 1u];
  var sum = 0.0;
  // START: a reader begins with these lines, without their slashes; SOLUTION to END replaces them.
  // // Your turn: all lanes walk the whole row. Let each take its share of the entries.
  // for (var entry = indptr[row]; entry < end; entry++) {
  // SOLUTION
  for (var entry = indptr[row] + lane; entry < end; entry += WORKGROUP_SIZE) {
  // END
    sum += data[entry] * x[indices[entry]];
  }
  parts[lane] = sum;
  workgroupBarrier();
  // START
  // // Your turn: put the parts together; so far the sum of the row is wherever it may be.
  // if (lane == 0u) {
  //   y[row] = 0.0;
  // SOLUTION
  for (var half = WORKGROUP_SIZE / 2u; half > 0u; half /= 2u) {
    if (lane < half) {
      parts[lane] += parts[lane + half];
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    y[row] = parts[0];
  // END
  }
}
