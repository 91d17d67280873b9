// common/workgroup_scan: prefix sums over the lanes of a workgroup through workgroup memory.
// Provides: workgroup_scan.  Requires: WORKGROUP_SIZE.  Workgroup memory: 8 B per lane.

// Two halves: every level reads from one half and writes to the other, so that one barrier per level is enough.
var<workgroup> running: array<u32, 2u * WORKGROUP_SIZE>;

struct Scan {
  before: u32, // sum over the lanes before this one
  total: u32, // sum over the workgroup
}

// Source: Hillis and Steele 1986. Called by all lanes of the workgroup.
fn workgroup_scan(value: u32, local_index: u32) -> Scan {
  var from_half = 0u;
  running[local_index] = value;
  workgroupBarrier();
  for (var distance = 1u; distance < WORKGROUP_SIZE; distance <<= 1u) {
    let to_half = WORKGROUP_SIZE - from_half;
    var sum = running[from_half + local_index];
    if (local_index >= distance) {
      sum += running[from_half + local_index - distance];
    }
    running[to_half + local_index] = sum;
    from_half = to_half;
    workgroupBarrier();
  }
  let scan = Scan(running[from_half + local_index] - value, running[from_half + WORKGROUP_SIZE - 1u]);
  workgroupBarrier(); // before the next call writes to the memory
  return scan;
}
