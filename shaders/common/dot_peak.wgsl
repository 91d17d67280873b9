// common/dot_peak: dot products of four bytes in registers alone; their speed is what a kernel bound by arithmetic in i8 can
// reach.
// Lanes: any; each has eight independent chains, so that one hides the latency of another.
// Dispatch: x = workgroups.  Needs: nothing.  Workgroup memory: 0 B.

/// one word: the sum of the invocation SHOWN; also of any whose sum is NEVER, so that no step of any can be left out
@group(0) @binding(0) var<storage, read_write> sink: array<u32>;

/// lanes of a workgroup
override WORKGROUP_SIZE: u32 = 256;
/// steps of every chain, 16 dot products each
override STEPS: u32 = 64;
/// the invocation whose sum is written; none by default
override SHOWN: u32 = 0xffffffff;

// A sum that no chain is expected to have.
const NEVER = 0x5ca1ab1eu;
// Spreads the numbers of lanes over all bits of a word.
const SPREAD = 0x9e3779b9u;

// Each chain adds to its own last result: two registers are read for a dot product, where three would slow it down.
fn link(a: vec4<u32>, factor: u32) -> vec4<u32> {
  let dots = vec4(
    dot4I8Packed(a.x, factor),
    dot4I8Packed(a.y, factor),
    dot4I8Packed(a.z, factor),
    dot4I8Packed(a.w, factor),
  );
  return a + bitcast<vec4<u32>>(dots);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let factor = 0x7f3d9b81u + (group.x & 1u);
  var a = (vec4(lane) + vec4(1u, 257u, 513u, 769u)) * SPREAD;
  var b = a + 1u;
  // 16 links at a time, so that counting them takes next to nothing.
  for (var step = 0u; step < STEPS; step++) {
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
  }
  let sums = a + b;
  let sum = sums.x + sums.y + sums.z + sums.w;
  if (sum == NEVER || group.x * WORKGROUP_SIZE + lane == SHOWN) { sink[0] = sum; }
}
