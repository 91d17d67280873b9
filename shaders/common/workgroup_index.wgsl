// common/workgroup_index: the number of this workgroup in a dispatch that is folded into y.
// Provides: workgroup_index.

fn workgroup_index(id: vec3<u32>, count: vec3<u32>) -> u32 {
  return id.y * count.x + id.x;
}
