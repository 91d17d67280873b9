// common/values_f16: stored values as f16, two in a u32, the lower half first.
// Gives: Eight, PackedEight, packed_values, unpacked_values, load_values, value_at.

// Eight values of a group: entries 8 g .. 8 g + 7. The buffer ends on 16 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec4<u32>>;

struct Eight {
  low: vec4<f32>, // entries 0 to 3 of the group
  high: vec4<f32>, // entries 4 to 7
}

// Eight values as they are stored: half of the registers.
alias PackedEight = vec4<u32>;

fn packed_values(group: u32) -> PackedEight {
  return values[group];
}

fn load_values(group: u32) -> Eight {
  return unpacked_values(packed_values(group));
}

fn unpacked_values(word: PackedEight) -> Eight {
  return Eight(
    vec4(unpack2x16float(word.x), unpack2x16float(word.y)),
    vec4(unpack2x16float(word.z), unpack2x16float(word.w)),
  );
}

fn value_at(entry: u32) -> f32 {
  let pair = unpack2x16float(values[entry >> 3u][(entry >> 1u) & 3u]);
  return select(pair.x, pair.y, (entry & 1u) == 1u);
}
