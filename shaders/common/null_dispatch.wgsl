// common/null_dispatch: one lane that does nothing; its time is the cost of a dispatch alone.
// Lanes: 1.
// Dispatch: x = 1.  Needs: nothing.  Workgroup memory: 0 B.

/// the output that all kernels of a run share, so that one dispatch waits for the one before, as between kernels
@group(0) @binding(0) var<storage, read_write> sink: array<u32>;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3<u32>) {
  // Never true in a dispatch of one workgroup; the compiler cannot know this, so it keeps the store.
  if (group.x == 1) { sink[0] = 0; }
}
