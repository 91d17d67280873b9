// ec-csr/values: stored values of blocks, eight, four or one at a time.

// variant f16: stored values as f16, two in a u32, the lower half first.
// Provides: PackedEight, PackedFour, packed_eight, unpacked_eight, halves_stored, packed_four, unpacked_four, value_at.

// Eight values per element. The buffer ends on 16 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec4<u32>>;
// The same buffer with four values per element.
@group(0) @binding(8) var<storage, read> values_by_four: array<vec2<u32>>;

struct Eight {
  low: vec4<f32>, // values 0 to 3
  high: vec4<f32>, // values 4 to 7
}

alias PackedEight = vec4<u32>;
alias PackedFour = vec2<u32>;

// Eight values from `first` on, a multiple of eight.
fn packed_eight(first: u32) -> PackedEight {
  return values[first / 8u];
}

fn unpacked_eight(p: PackedEight) -> Eight {
  return Eight(
    vec4(unpack2x16float(p.x), unpack2x16float(p.y)),
    vec4(unpack2x16float(p.z), unpack2x16float(p.w)),
  );
}

// Whether the first four and the last four are more than padding, which is +0.
fn halves_stored(p: PackedEight) -> vec2<bool> {
  return vec2((p.x | p.y) != 0u, (p.z | p.w) != 0u);
}

// Four values from `first` on, a multiple of four.
fn packed_four(first: u32) -> PackedFour {
  return values_by_four[first / 4u];
}

fn unpacked_four(p: PackedFour) -> vec4<f32> {
  return vec4(unpack2x16float(p.x), unpack2x16float(p.y));
}

fn value_at(index: u32) -> f32 {
  let pair = unpack2x16float(values_by_four[index / 4u][(index / 2u) & 1u]);
  return select(pair.x, pair.y, (index & 1u) == 1u);
}

// variant f32: stored values as f32.
// Provides: PackedEight, PackedFour, packed_eight, unpacked_eight, halves_stored, packed_four, unpacked_four, value_at.

// Four values per element. The buffer ends on 16 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec4<f32>>;

struct Eight {
  low: vec4<f32>, // values 0 to 3
  high: vec4<f32>, // values 4 to 7
}

alias PackedEight = Eight;
alias PackedFour = vec4<f32>;

// Eight values from `first` on, a multiple of eight.
fn packed_eight(first: u32) -> PackedEight {
  return Eight(values[first / 4u], values[first / 4u + 1u]);
}

fn unpacked_eight(p: PackedEight) -> Eight {
  return p;
}

// Whether the first four and the last four are more than padding, which is 0.
fn halves_stored(p: PackedEight) -> vec2<bool> {
  return vec2(!all(p.low == vec4(0.0)), !all(p.high == vec4(0.0)));
}

// Four values from `first` on, a multiple of four.
fn packed_four(first: u32) -> PackedFour {
  return values[first / 4u];
}

fn unpacked_four(p: PackedFour) -> vec4<f32> {
  return p;
}

fn value_at(index: u32) -> f32 {
  return values[index / 4u][index & 3u];
}
