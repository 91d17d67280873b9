// language/reductions: the sum and the maximum of a value over all lanes of a workgroup, returned to every lane.

// Lanes per workgroup, a power of two.
override WORKGROUP_SIZE: u32 = 64u;

// Values that lanes or subgroups exchange.
var<workgroup> exchanged: array<f32, WORKGROUP_SIZE>;

// variant workgroup: a binary tree through workgroup memory.
// Provides: WORKGROUP_SIZE, workgroup_total, workgroup_max.  Workgroup memory: 4 B per lane.

fn workgroup_total(value: f32, local_index: u32) -> f32 {
  exchanged[local_index] = value;
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      exchanged[local_index] += exchanged[local_index + distance];
    }
    workgroupBarrier();
  }
  let total = exchanged[0];
  workgroupBarrier(); // the next call writes again
  return total;
}

fn workgroup_max(value: f32, local_index: u32) -> f32 {
  exchanged[local_index] = value;
  workgroupBarrier();
  for (var distance = WORKGROUP_SIZE / 2u; distance > 0u; distance >>= 1u) {
    if (local_index < distance) {
      exchanged[local_index] = max(exchanged[local_index], exchanged[local_index + distance]);
    }
    workgroupBarrier();
  }
  let largest = exchanged[0];
  workgroupBarrier(); // the next call writes again
  return largest;
}

// variant subgroup: by subgroups of any size, which exchange one number each.
// Provides: WORKGROUP_SIZE, workgroup_total, workgroup_max.  Needs: subgroups.  Workgroup memory: 4 B per lane.
enable subgroups;

// The exponent of a subgroup's number of lanes, a power of two: shifts replace divisions, which would take longest here.
fn subgroup_bits() -> u32 {
  let lanes = countOneBits(subgroupBallot(true));
  return firstTrailingBit(lanes.x + lanes.y + lanes.z + lanes.w);
}

fn workgroup_total(value: f32, local_index: u32) -> f32 {
  let bits = subgroup_bits();
  let lanes = 1u << bits;
  let sum = subgroupAdd(value);
  if (subgroupElect()) {
    exchanged[local_index >> bits] = sum;
  }
  workgroupBarrier();
  // Every subgroup adds all exchanged numbers, distributed over its lanes.
  var lane_value = 0.0;
  for (var i = local_index & (lanes - 1u); i < (WORKGROUP_SIZE >> bits); i += lanes) {
    lane_value += exchanged[i];
  }
  let total = subgroupAdd(lane_value);
  workgroupBarrier(); // the next call writes again
  return total;
}

fn workgroup_max(value: f32, local_index: u32) -> f32 {
  let bits = subgroup_bits();
  let lanes = 1u << bits;
  let maximum = subgroupMax(value);
  if (subgroupElect()) {
    exchanged[local_index >> bits] = maximum;
  }
  workgroupBarrier();
  var lane_value = exchanged[0];
  for (var i = local_index & (lanes - 1u); i < (WORKGROUP_SIZE >> bits); i += lanes) {
    lane_value = max(lane_value, exchanged[i]);
  }
  let largest = subgroupMax(lane_value);
  workgroupBarrier(); // the next call writes again
  return largest;
}
