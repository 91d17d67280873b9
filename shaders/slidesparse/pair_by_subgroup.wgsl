// slidesparse/pair_by_subgroup: the sums of two rows over a workgroup, first within subgroups.
// Gives: sum_pair.  Workgroup memory: 8 B per lane.
enable subgroups;

// include slidesparse/row_pair.wgsl: WORKGROUP_SIZE, store_pair

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
