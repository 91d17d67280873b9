// macko/pair_scan: prefix sums of two groups per lane for the price of one.
// Gives: scan_pair.

// include macko/matrix.wgsl: LARGEST_TOTAL
// include common/subgroup_scan.wgsl: MAX_SUBGROUP_SIZE, inclusive_scan

// Sums over a subgroup of the totals of two steps.
struct PairScan {
  first_before: u32, // lanes before this one, first step
  second_before: u32, // the whole first step, and the lanes before this one in the second
  total: u32, // both steps
}

// Called by all lanes of the subgroup.
fn scan_pair(first: u32, second: u32, lane: u32, lanes: u32) -> PairScan {
  if (LARGEST_TOTAL * MAX_SUBGROUP_SIZE < 65536u) {
    // Both sums fit in 16 bits, so that one scan carries them side by side.
    let packed = first | (second << 16u);
    let scan = inclusive_scan(packed, lane);
    let before = scan - packed;
    let last = subgroupShuffle(scan, lanes - 1u);
    let first_total = last & 0xffffu;
    return PairScan(before & 0xffffu, first_total + (before >> 16u), first_total + (last >> 16u));
  }
  let first_scan = inclusive_scan(first, lane);
  let second_scan = inclusive_scan(second, lane);
  let first_total = subgroupShuffle(first_scan, lanes - 1u);
  let second_total = subgroupShuffle(second_scan, lanes - 1u);
  return PairScan(first_scan - first, first_total + second_scan - second, first_total + second_total);
}
