// common/workgroup_sum: a sum over the workgroup through workgroup memory.
// Provides: WORKGROUP_SIZE, workgroup_sum.  Workgroup memory: 4 B per lane.

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 64u;

var<workgroup> addends: array<f32, WORKGROUP_SIZE>;

// The sum of every lane's `value`, for all of them; called by all lanes of the workgroup.
fn workgroup_sum(value: f32, local_index: u32) -> f32 {
  addends[local_index] = value;
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      addends[local_index] += addends[local_index + distance];
    }
    workgroupBarrier();
  }
  let sum = addends[0];
  workgroupBarrier(); // the next call writes addends again
  return sum;
}
