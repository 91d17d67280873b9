// common/values_i8: stored values as signed bytes, four in a u32, the lowest byte first, to be multiplied by the
// scale of their row.
// Gives: Eight, PackedEight, packed_values, unpacked_values, load_values.

// Eight values of a group: entries 8 g .. 8 g + 7. The buffer ends on 8 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec2<u32>>;

struct Eight {
  low: vec4<f32>, // entries 0 to 3 of the group
  high: vec4<f32>, // entries 4 to 7
}

// Eight values as they are stored.
alias PackedEight = vec2<u32>;

fn packed_values(group: u32) -> PackedEight {
  return values[group];
}

fn load_values(group: u32) -> Eight {
  return unpacked_values(packed_values(group));
}

fn unpacked_values(word: PackedEight) -> Eight {
  return Eight(vec4<f32>(unpack4xI8(word.x)), vec4<f32>(unpack4xI8(word.y)));
}
