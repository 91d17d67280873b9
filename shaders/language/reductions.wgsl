// language/reductions: the sum and the maximum of a value over all lanes of a workgroup, returned to each of them.

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 64u;

// Values that lanes or subgroups exchange.
var<workgroup> handed: array<f32, WORKGROUP_SIZE>;

// variant workgroup: through workgroup memory.
// Gives: WORKGROUP_SIZE, workgroup_total, workgroup_max.  Workgroup memory: 4 B per lane.

fn workgroup_total(value: f32, local_index: u32) -> f32 {
  handed[local_index] = value;
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      handed[local_index] += handed[local_index + distance];
    }
    workgroupBarrier();
  }
  let total = handed[0];
  workgroupBarrier(); // the next call writes again
  return total;
}

fn workgroup_max(value: f32, local_index: u32) -> f32 {
  handed[local_index] = value;
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      handed[local_index] = max(handed[local_index], handed[local_index + distance]);
    }
    workgroupBarrier();
  }
  let largest = handed[0];
  workgroupBarrier(); // the next call writes again
  return largest;
}

// variant subgroup: by subgroups of any size, which exchange one number each.
// Gives: WORKGROUP_SIZE, workgroup_total, workgroup_max.  Needs: subgroups.  Workgroup memory: 4 B per lane.
enable subgroups;

// Lanes of a subgroup as a power of two: a division takes longer than all else here.
fn subgroup_bits() -> u32 {
  let lanes = countOneBits(subgroupBallot(true));
  return firstTrailingBit(lanes.x + lanes.y + lanes.z + lanes.w);
}

fn workgroup_total(value: f32, local_index: u32) -> f32 {
  let bits = subgroup_bits();
  let lanes = 1u << bits;
  let sum = subgroupAdd(value);
  if (subgroupElect()) {
    handed[local_index >> bits] = sum;
  }
  workgroupBarrier();
  // Every subgroup adds up all exchanged numbers, a share to each lane.
  var of_lane = 0.0;
  for (var i = local_index & (lanes - 1u); i < (WORKGROUP_SIZE >> bits); i += lanes) {
    of_lane += handed[i];
  }
  let total = subgroupAdd(of_lane);
  workgroupBarrier(); // the next call writes again
  return total;
}

fn workgroup_max(value: f32, local_index: u32) -> f32 {
  let bits = subgroup_bits();
  let lanes = 1u << bits;
  let most = subgroupMax(value);
  if (subgroupElect()) {
    handed[local_index >> bits] = most;
  }
  workgroupBarrier();
  var of_lane = handed[0];
  for (var i = local_index & (lanes - 1u); i < (WORKGROUP_SIZE >> bits); i += lanes) {
    of_lane = max(of_lane, handed[i]);
  }
  let largest = subgroupMax(of_lane);
  workgroupBarrier(); // the next call writes again
  return largest;
}
