// Exercise 4: y = A x, a kernel of your own, from one subgroup for every row with four entries in every step.
enable subgroups;
// The lanes of a subgroup share their row, so that they leave together; the compiler cannot see that.
diagnostic(off, subgroup_uniformity);

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
// Lanes of the widest subgroup of this device.
override MAX_SUBGROUP_SIZE: u32;
// Rows that a workgroup is responsible for: says how many workgroups are dispatched.
override ROWS_PER_WORKGROUP: u32 = WORKGROUP_SIZE / MAX_SUBGROUP_SIZE;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let workgroup = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  let row = workgroup * (WORKGROUP_SIZE / lanes) + index / lanes;
  if (row >= params.rows) {
    return;
  }
  let begin = indptr[row];
  let end = indptr[row + 1u];
  var sum = 0.0;
  // START: a reader begins with these lines, without their slashes; SOLUTION to END replaces them.
  // // Your turn: four entries in every step, so that four loads are under way before the first is waited for.
  // // As it stands, only whole fours are added up: what is left of a row is missing.
  // for (var entry = begin + lane; entry + 3u * lanes < end; entry += 4u * lanes) {
  // SOLUTION
  var entry = begin + lane;
  for (; entry + 3u * lanes < end; entry += 4u * lanes) {
  // END
    let first = data[entry] * x[indices[entry]];
    let second = data[entry + lanes] * x[indices[entry + lanes]];
    let third = data[entry + 2u * lanes] * x[indices[entry + 2u * lanes]];
    let fourth = data[entry + 3u * lanes] * x[indices[entry + 3u * lanes]];
    sum += (first + second) + (third + fourth);
  // START
  // SOLUTION
  }
  for (; entry < end; entry += lanes) {
    sum += data[entry] * x[indices[entry]];
  // END
  }
  let total = subgroupAdd(sum);
  if (lane == 0u) {
    y[row] = total;
  }
}
