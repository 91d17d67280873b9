// common/group_scales: scales of groups of 32 columns, for cells of 4 bits.
// Gives: group_scale.

// Two f16 each, the lower half first. After the output, so that the other bindings keep their numbers.
@group(0) @binding(4) var<storage, read> scales: array<u32>;

// The value of one step of a group.
fn group_scale(group: u32) -> f32 {
  return unpack2x16float(scales[group / 2u] >> (16u * (group % 2u))).x;
}
