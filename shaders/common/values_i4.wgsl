// common/values_i4: cells of 4 bits, eight in a word, with the scale of their group.
// Gives: Eight, load_values.

// include common/halves.wgsl: Eight, halves_of
// include common/group_scales.wgsl: group_scale

// Four bytes: columns 4 w .. 4 w + 3 of a group in the low halves, 16 columns on in the high ones.
@group(0) @binding(1) var<storage, read> values: array<u32>;

// The cells of a word: eight columns, as load_columns has them.
fn load_values(word: u32) -> Eight {
  let eight = halves_of(values[word]);
  let scale = group_scale(word / 4u);
  return Eight(scale * eight.low, scale * eight.high);
}
