// common/subgroup_scan: prefix sums over the lanes of a subgroup.
// Gives: MAX_SUBGROUP_SIZE, inclusive_scan.

// Largest subgroup size of the device: scans shuffle no further than it asks for.
override MAX_SUBGROUP_SIZE: u32 = 32u;

fn add_from(value: u32, lane: u32, distance: u32) -> u32 {
  return value + select(0u, subgroupShuffleUp(value, distance), lane >= distance);
}

// The sum of `value` over this lane and all before it. By shuffles, which are faster than the built-in scan on the
// hardware that was measured (docs/performance.md).
fn inclusive_scan(value: u32, lane: u32) -> u32 {
  var sum = value;
  // step: scan-1
  if (MAX_SUBGROUP_SIZE > 1u) { sum = add_from(sum, lane, 1u); }
  // step: scan-2
  if (MAX_SUBGROUP_SIZE > 2u) { sum = add_from(sum, lane, 2u); }
  if (MAX_SUBGROUP_SIZE > 4u) { sum = add_from(sum, lane, 4u); }
  if (MAX_SUBGROUP_SIZE > 8u) { sum = add_from(sum, lane, 8u); }
  if (MAX_SUBGROUP_SIZE > 16u) { sum = add_from(sum, lane, 16u); }
  if (MAX_SUBGROUP_SIZE > 32u) { sum = add_from(sum, lane, 32u); }
  if (MAX_SUBGROUP_SIZE > 64u) { sum = add_from(sum, lane, 64u); }
  return sum;
}
