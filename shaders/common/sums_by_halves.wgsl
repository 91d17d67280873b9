// common/sums_by_halves: adds 32 sums of every lane up over neighbouring lanes. In every step a lane keeps half of its sums
// and passes the other half on, so that 32 sums need 31 exchanges instead of 160.
// Provides: LANES, CLUSTER, SUMS, cluster_sums, place_sums.  Needs: subgroups.  Workgroup memory: 128 B * LANES / CLUSTER.

// Lanes of a workgroup, a power of two, at least 32.
override LANES: u32 = 64u;
// Neighbouring lanes that are added up, all in one subgroup of any size, a power of two up to 32.
override CLUSTER: u32 = 1u;

// Sums of a lane.
const SUMS = 32u;

var<workgroup> cluster_sums: array<f32, LANES / CLUSTER * SUMS>;

// Keeps one of two vectors of sums, adds the same sums of the lane at this distance, and passes the other vector to it.
fn keep(low: vec4<f32>, high: vec4<f32>, keeps_high: bool, distance: u32) -> vec4<f32> {
  return select(low, high, keeps_high) + subgroupShuffleXor(select(high, low, keeps_high), distance);
}

fn place_four(at: u32, sums: vec4<f32>) {
  cluster_sums[at] = sums.x;
  cluster_sums[at + 1u] = sums.y;
  cluster_sums[at + 2u] = sums.z;
  cluster_sums[at + 3u] = sums.w;
}

// Sums 4 i to 4 i + 3 of this lane are its argument number i; those of cluster c come to cluster_sums[c * SUMS]. To be
// followed by a barrier.
fn place_sums(
  lane: u32,
  s0: vec4<f32>,
  s1: vec4<f32>,
  s2: vec4<f32>,
  s3: vec4<f32>,
  s4: vec4<f32>,
  s5: vec4<f32>,
  s6: vec4<f32>,
  s7: vec4<f32>,
) {
  // Not arrays: with an index that is not a constant, the compiler would move the sums from registers to memory.
  var t0 = s0;
  var t1 = s1;
  var t2 = s2;
  var t3 = s3;
  // The number of the first sum that this lane has kept.
  var first = 0u;
  if (CLUSTER > 1u) {
    let high = (lane & (CLUSTER / 2u)) != 0u;
    t0 = keep(t0, s4, high, CLUSTER / 2u);
    t1 = keep(t1, s5, high, CLUSTER / 2u);
    t2 = keep(t2, s6, high, CLUSTER / 2u);
    t3 = keep(t3, s7, high, CLUSTER / 2u);
    first += select(0u, 16u, high);
  }
  if (CLUSTER > 2u) {
    let high = (lane & (CLUSTER / 4u)) != 0u;
    t0 = keep(t0, t2, high, CLUSTER / 4u);
    t1 = keep(t1, t3, high, CLUSTER / 4u);
    first += select(0u, 8u, high);
  }
  if (CLUSTER > 4u) {
    let high = (lane & (CLUSTER / 8u)) != 0u;
    t0 = keep(t0, t1, high, CLUSTER / 8u);
    first += select(0u, 4u, high);
  }
  if (CLUSTER > 8u) {
    let high = (lane & (CLUSTER / 16u)) != 0u;
    let pair = select(t0.xy, t0.zw, high) + subgroupShuffleXor(select(t0.zw, t0.xy, high), CLUSTER / 16u);
    t0 = vec4(pair, 0.0, 0.0);
    first += select(0u, 2u, high);
  }
  if (CLUSTER > 16u) {
    let high = (lane & (CLUSTER / 32u)) != 0u;
    t0.x = select(t0.x, t0.y, high) + subgroupShuffleXor(select(t0.y, t0.x, high), CLUSTER / 32u);
    first += select(0u, 1u, high);
  }
  let at = lane / CLUSTER * SUMS + first;
  cluster_sums[at] = t0.x;
  if (CLUSTER < 32u) { cluster_sums[at + 1u] = t0.y; }
  if (CLUSTER < 16u) {
    cluster_sums[at + 2u] = t0.z;
    cluster_sums[at + 3u] = t0.w;
  }
  if (CLUSTER < 8u) { place_four(at + 4u, t1); }
  if (CLUSTER < 4u) {
    place_four(at + 8u, t2);
    place_four(at + 12u, t3);
  }
  if (CLUSTER < 2u) {
    place_four(at + 16u, s4);
    place_four(at + 20u, s5);
    place_four(at + 24u, s6);
    place_four(at + 28u, s7);
  }
}
