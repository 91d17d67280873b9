// common/values: reads stored values, eight of a group at a time or one by one, in each value type. `packed_values` loads a
// group without converting it, since the packed form needs fewer registers; `unpacked_values` converts it.

// variant f16: two in a u32, the lower half first.
// Provides: Eight, PackedEight, packed_values, unpacked_values, load_values, value_at.

// Eight values of a group: entries 8 g .. 8 g + 7. The buffer ends on 16 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec4<u32>>;

struct Eight {
  low: vec4<f32>, // entries 0 to 3 of the group
  high: vec4<f32>, // entries 4 to 7
}

// Eight stored values, in half of the registers of `Eight`.
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

// variant f32: one in a u32.
// Provides: Eight, PackedEight, packed_values, unpacked_values, load_values, value_at.

// Four values; a group of eight is elements 2 g and 2 g + 1. The buffer ends on 16 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec4<f32>>;

struct Eight {
  low: vec4<f32>, // entries 0 to 3 of the group
  high: vec4<f32>, // entries 4 to 7
}

// Eight stored values.
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

// variant bf16: two in a u32, the lower half first.
// Provides: value_at.

// Eight values; the buffer ends on 16 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec4<u32>>;

// A bf16 is the upper half of an f32.
fn value_at(entry: u32) -> f32 {
  let pair = values[entry >> 3u][(entry >> 1u) & 3u];
  return bitcast<f32>(select(pair << 16u, pair & 0xffff0000u, (entry & 1u) == 1u));
}

// variant i8: signed bytes, four in a u32, the lowest byte first, to be multiplied by the scale of their row.
// Provides: Eight, PackedEight, packed_values, unpacked_values, load_values, value_at.

// Eight values of a group: entries 8 g .. 8 g + 7. The buffer ends on 8 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec2<u32>>;

struct Eight {
  low: vec4<f32>, // entries 0 to 3 of the group
  high: vec4<f32>, // entries 4 to 7
}

// Eight stored values.
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

fn value_at(entry: u32) -> f32 {
  return f32(unpack4xI8(values[entry >> 3u][(entry >> 2u) & 1u])[entry & 3u]);
}

// variant i4: cells of 4 bits, eight in a word, with the scale of their group.
// Provides: Eight, load_values.

// include common/halves.wgsl: Eight, halves_of
// include common/group_scales.wgsl#at_4: group_scale

// Four bytes: columns 4 w .. 4 w + 3 of a group in the low halves, 16 columns on in the high ones.
@group(0) @binding(1) var<storage, read> values: array<u32>;

// The eight cells of a word, in the order of the columns of load_columns.
fn load_values(word: u32) -> Eight {
  let eight = halves_of(values[word]);
  let scale = group_scale(word / 4u);
  return Eight(scale * eight.low, scale * eight.high);
}

// variant i4_entries: 4 bits, eight in a u32, the lowest first, with a scale for every 32.
// Provides: Eight, PackedEight, packed_values, unpacked_values, load_values, value_at.

// include common/halves.wgsl: Eight, halves_of
// include common/group_scales.wgsl#at_5 or #at_6 or #at_7: group_scale

// Eight values of a group: entries 8 g .. 8 g + 7.
@group(0) @binding(1) var<storage, read> values: array<u32>;

// Eight stored values, and the bits of their scale in f32.
alias PackedEight = vec2<u32>;

fn packed_values(group: u32) -> PackedEight {
  return vec2(values[group], bitcast<u32>(group_scale(group / 4u)));
}

fn load_values(group: u32) -> Eight {
  return unpacked_values(packed_values(group));
}

fn unpacked_values(stored: PackedEight) -> Eight {
  let halves = halves_of(stored.x);
  let scale = bitcast<f32>(stored.y);
  return Eight(
    scale * vec4(halves.low.x, halves.high.x, halves.low.y, halves.high.y),
    scale * vec4(halves.low.z, halves.high.z, halves.low.w, halves.high.w),
  );
}

fn value_at(entry: u32) -> f32 {
  let code = (values[entry >> 3u] >> (4u * (entry & 7u))) & 15u;
  return group_scale(entry >> 5u) * (f32(code) - 8.0);
}
