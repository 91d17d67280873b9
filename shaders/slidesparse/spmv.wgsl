// slidesparse/spmv: y = A x, two rows per workgroup.
// Source: ours; the 2:4 rows of the SlideSparse paper without sparse tensor cores. Differs: activations are lifted by index.

// variant subgroup: four pairs of windows in flight, metadata ordered by lane or by window.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 1 KiB.
enable subgroups;

// include common/workgroup_index.wgsl: workgroup_index
// include slidesparse/matrix.wgsl: params
// include slidesparse/row_pair.wgsl: WORKGROUP_SIZE, ROWS_PER_WORKGROUP, row_pair, store_pair
// include slidesparse/metadata.wgsl#by_lane or #natural: lane_nibbles

// One pair of sums per subgroup; subgroups may be as small as one lane.
var<workgroup> subgroup_sums: array<vec2<f32>, WORKGROUP_SIZE>;

// Adds `part` of all lanes and stores both rows; called by all lanes of the workgroup.
fn sum_pair(first_row: u32, part: vec2<f32>, local_index: u32, lane: u32, lanes: u32) {
  let sums = subgroupAdd(part);
  if (lane == 0u) {
    subgroup_sums[local_index / lanes] = sums;
  }
  workgroupBarrier();
  if (local_index == 0u) {
    var total = subgroup_sums[0];
    for (var i = 1u; i < WORKGROUP_SIZE / lanes; i++) {
      total += subgroup_sums[i];
    }
    store_pair(first_row, total);
  }
}

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
  sum_pair(first_row, row_pair(first_row, local_index), local_index, lane, lanes);
}

// variant workgroup: summed through workgroup memory.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: nothing.  Workgroup memory: 1 KiB.

// include common/workgroup_index.wgsl: workgroup_index
// include slidesparse/matrix.wgsl: params
// include slidesparse/row_pair.wgsl: WORKGROUP_SIZE, ROWS_PER_WORKGROUP, row_pair, store_pair
// include slidesparse/metadata.wgsl#by_lane: lane_nibbles

var<workgroup> lane_sums: array<vec2<f32>, WORKGROUP_SIZE>;

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
  lane_sums[local_index] = row_pair(first_row, local_index);
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      lane_sums[local_index] += lane_sums[local_index + distance];
    }
    workgroupBarrier();
  }
  if (local_index == 0u) {
    store_pair(first_row, lane_sums[0]);
  }
}
