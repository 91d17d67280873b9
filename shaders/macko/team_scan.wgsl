// macko/team_scan: prefix sums and sums over teams of neighbouring lanes through workgroup memory.
// Gives: WORKGROUP_SIZE, TEAM, team_scan, team_sum.  Workgroup memory: 18 B per lane.

// Lanes per workgroup, a power of two, at least TEAM.
override WORKGROUP_SIZE: u32 = 64u;
// Lanes that share a row: 8, 16 or 32, so that 16 bits hold the gaps of a step.
override TEAM: u32 = 16u;

// Lanes that add up what their neighbours left, one after the other: fewer barriers than a level for every power of two.
const BLOCK = 8u;

// Two halves, of which calls take turns: nobody waits before the next call writes.
var<workgroup> lane_values: array<vec2<u32>, 2u * WORKGROUP_SIZE>;
var<workgroup> block_values: array<vec2<u32>, 2u * WORKGROUP_SIZE / BLOCK>;

struct Scan {
  before: vec2<u32>, // sums over the lanes of the team before this one
  total: vec2<u32>, // sums over the team
}

// Component by component; called by all lanes of the workgroup, with `turn` 0 and 1 alternating.
fn team_scan(value: vec2<u32>, local_index: u32, turn: u32) -> Scan {
  let lanes_at = turn * WORKGROUP_SIZE;
  let blocks_at = turn * (WORKGROUP_SIZE / BLOCK);
  let block = local_index / BLOCK;
  let team_blocks = TEAM / BLOCK;
  let place = local_index % BLOCK;
  lane_values[lanes_at + local_index] = value;
  workgroupBarrier();
  var before = vec2(0u);
  var total = vec2(0u);
  for (var i = 0u; i < BLOCK; i++) {
    let one = lane_values[lanes_at + block * BLOCK + i];
    before += select(vec2(0u), one, i < place);
    total += one;
  }
  if (place == 0u) {
    block_values[blocks_at + block] = total;
  }
  workgroupBarrier();
  total = vec2(0u);
  for (var i = 0u; i < team_blocks; i++) {
    let one = block_values[blocks_at + local_index / TEAM * team_blocks + i];
    before += select(vec2(0u), one, i < block % team_blocks);
    total += one;
  }
  return Scan(before, total);
}

// The sum over the team, for its first lane; called like team_scan, whose turns it takes.
fn team_sum(value: f32, local_index: u32, turn: u32) -> f32 {
  let lanes_at = turn * WORKGROUP_SIZE;
  let blocks_at = turn * (WORKGROUP_SIZE / BLOCK);
  lane_values[lanes_at + local_index].x = bitcast<u32>(value);
  workgroupBarrier();
  if (local_index % BLOCK == 0u) {
    var sum = 0.0;
    for (var i = 0u; i < BLOCK; i++) {
      sum += bitcast<f32>(lane_values[lanes_at + local_index + i].x);
    }
    block_values[blocks_at + local_index / BLOCK].x = bitcast<u32>(sum);
  }
  workgroupBarrier();
  var sum = 0.0;
  if (local_index % TEAM == 0u) {
    for (var i = 0u; i < TEAM / BLOCK; i++) {
      sum += bitcast<f32>(block_values[blocks_at + local_index / BLOCK + i].x);
    }
  }
  return sum;
}
