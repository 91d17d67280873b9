// common/fma_peak: multiplies and adds in registers alone; its speed is what a kernel bound by arithmetic can reach.
// Lanes: any; each has eight independent chains of four multiply-adds, so that one hides the latency of another.
// Dispatch: x = workgroups.  Needs: nothing.  Workgroup memory: 0 B.

/// one word that is written when the sums are below 0, which they never are, so that no step can be left out
@group(0) @binding(0) var<storage, read_write> sink: array<u32>;

/// lanes of a workgroup
override WORKGROUP_SIZE: u32 = 256;
/// steps of every chain
override STEPS: u32 = 1024;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  // Known only when it runs, and less than 1, so that the sums stay finite.
  let factor = vec4(0.5 + f32(group.x & 1u) * 0.25);
  let first = vec4(f32(lane), 1.0, 2.0, 3.0);
  var a = first;
  var b = first + 1.0;
  var c = first + 2.0;
  var d = first + 3.0;
  var e = first + 4.0;
  var f = first + 5.0;
  var g = first + 6.0;
  var h = first + 7.0;
  for (var step = 0u; step < STEPS; step++) {
    a = fma(a, factor, first);
    b = fma(b, factor, first);
    c = fma(c, factor, first);
    d = fma(d, factor, first);
    e = fma(e, factor, first);
    f = fma(f, factor, first);
    g = fma(g, factor, first);
    h = fma(h, factor, first);
  }
  let sum = (a + b) + (c + d) + ((e + f) + (g + h));
  if (sum.x + sum.y + sum.z + sum.w < 0.0) { sink[0] = group.x; }
}
