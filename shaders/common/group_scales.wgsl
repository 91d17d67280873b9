// common/group_scales: scales of groups of 32 cells or entries, for values of 4 bits. Its binding comes after the output, so
// that the other bindings have the same numbers with and without it.
// Provides: group_scale.

// The quantisation step of a group.
fn group_scale(group: u32) -> f32 {
  return unpack2x16float(scales[group / 2u] >> (16u * (group % 2u))).x;
}

// variant at_4: binding 4, two f16 each, the lower half first.
@group(0) @binding(4) var<storage, read> scales: array<u32>;

// variant at_5: binding 5, two f16 each, the lower half first.
@group(0) @binding(5) var<storage, read> scales: array<u32>;

// variant at_6: binding 6, two f16 each, the lower half first.
@group(0) @binding(6) var<storage, read> scales: array<u32>;

// variant at_7: binding 7, two f16 each, the lower half first.
@group(0) @binding(7) var<storage, read> scales: array<u32>;
