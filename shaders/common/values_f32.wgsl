// common/values_f32: stored values as f32.
// Gives: Eight, PackedEight, packed_values, unpacked_values, load_values, value_at.

// Four values; a group of eight is elements 2 g and 2 g + 1. The buffer ends on 16 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec4<f32>>;

struct Eight {
  low: vec4<f32>, // entries 0 to 3 of the group
  high: vec4<f32>, // entries 4 to 7
}

// Eight values as they are stored.
alias PackedEight = Eight;

fn packed_values(group: u32) -> PackedEight {
  return load_values(group);
}

fn unpacked_values(eight: PackedEight) -> Eight {
  return eight;
}

fn load_values(group: u32) -> Eight {
  return Eight(values[2u * group], values[2u * group + 1u]);
}

fn value_at(entry: u32) -> f32 {
  return values[entry >> 2u][entry & 3u];
}
