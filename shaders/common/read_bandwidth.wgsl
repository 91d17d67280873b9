// common/read_bandwidth: reads every byte of a buffer once; its speed is what a kernel bound by memory can reach.
// Lanes: any; each has LOADS coalesced 16-byte loads in flight, a workgroup's width apart, and no loop.
// Dispatch: x = words / (WORKGROUP_SIZE * LOADS), folded into y above 65535.  Needs: nothing.  Workgroup memory: 0 B.

/// the buffer to read, a whole number of workgroups of WORKGROUP_SIZE * LOADS elements
@group(0) @binding(0) var<storage, read> words: array<vec4<u32>>;
/// one word, written if the xor of a lane's data is SENTINEL, so that the compiler cannot remove the loads
@group(0) @binding(1) var<storage, read_write> sink: array<u32>;

/// lanes of a workgroup
override WORKGROUP_SIZE: u32 = 256;
/// loads in flight per lane: 4, 8 or 16
override LOADS: u32 = 8;
/// an xor that no lane's data has
override SENTINEL: u32 = 1;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = (group.y * groups.x + group.x) * WORKGROUP_SIZE * LOADS + lane;
  let a0 = words[first];
  let a1 = words[first + WORKGROUP_SIZE];
  let a2 = words[first + 2 * WORKGROUP_SIZE];
  let a3 = words[first + 3 * WORKGROUP_SIZE];
  var sum = (a0 ^ a1) ^ (a2 ^ a3);
  if (LOADS >= 8) {
    let b0 = words[first + 4 * WORKGROUP_SIZE];
    let b1 = words[first + 5 * WORKGROUP_SIZE];
    let b2 = words[first + 6 * WORKGROUP_SIZE];
    let b3 = words[first + 7 * WORKGROUP_SIZE];
    sum ^= (b0 ^ b1) ^ (b2 ^ b3);
  }
  if (LOADS >= 16) {
    let c0 = words[first + 8 * WORKGROUP_SIZE];
    let c1 = words[first + 9 * WORKGROUP_SIZE];
    let c2 = words[first + 10 * WORKGROUP_SIZE];
    let c3 = words[first + 11 * WORKGROUP_SIZE];
    let d0 = words[first + 12 * WORKGROUP_SIZE];
    let d1 = words[first + 13 * WORKGROUP_SIZE];
    let d2 = words[first + 14 * WORKGROUP_SIZE];
    let d3 = words[first + 15 * WORKGROUP_SIZE];
    sum ^= ((c0 ^ c1) ^ (c2 ^ c3)) ^ ((d0 ^ d1) ^ (d2 ^ d3));
  }
  let folded = (sum.x ^ sum.y) ^ (sum.z ^ sum.w);
  if (folded == SENTINEL) { sink[0] = folded; }
}
