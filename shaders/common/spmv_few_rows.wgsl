// common/spmv_few_rows: y = A x, a few rows per workgroup, whose sums are added up over all of its lanes.

// include common/workgroup_index.wgsl: workgroup_index

// variant subgroup: summed by subgroups.
// Provides: main.  Requires: params, WORKGROUP_SIZE, ROWS_PER_WORKGROUP, Sums, row_sums, store_sums.
enable subgroups;

// The sums of each subgroup; as long as if every subgroup had one lane.
var<workgroup> subgroup_sums: array<Sums, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) lanes: u32,
) {
  let first_row = workgroup_index(workgroup_id, num_workgroups) * ROWS_PER_WORKGROUP;
  if (first_row >= params.rows) {
    return;
  }
  let sums = subgroupAdd(row_sums(first_row, local_index));
  if (lane == 0u) {
    subgroup_sums[local_index / lanes] = sums;
  }
  workgroupBarrier();
  if (local_index == 0u) {
    var total = subgroup_sums[0];
    for (var i = 1u; i < WORKGROUP_SIZE / lanes; i++) {
      total += subgroup_sums[i];
    }
    store_sums(first_row, total);
  }
}

// variant workgroup: summed through workgroup memory.
// Provides: main.  Requires: params, WORKGROUP_SIZE, ROWS_PER_WORKGROUP, Sums, row_sums, store_sums.

var<workgroup> lane_sums: array<Sums, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let first_row = workgroup_index(workgroup_id, num_workgroups) * ROWS_PER_WORKGROUP;
  if (first_row >= params.rows) {
    return;
  }
  lane_sums[local_index] = row_sums(first_row, local_index);
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      lane_sums[local_index] += lane_sums[local_index + distance];
    }
    workgroupBarrier();
  }
  if (local_index == 0u) {
    store_sums(first_row, lane_sums[0]);
  }
}
