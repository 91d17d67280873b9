// macko/store_values: stores values that macko/convert encodes, eight at a time.

// variant f16: f16, rounded to nearest, ties to even; not by pack2x16float, whose rounding depends on the device.
// Provides: store_eight.

// The bits of the f16 nearest to an f32, given by its bits. A NaN stays a NaN.
fn f16_of(bits: u32) -> u32 {
  let sign = (bits >> 16u) & 0x8000u;
  let magnitude = bits & 0x7fffffffu;
  if (magnitude >= 0x47800000u) { // 2^16 and above
    return sign | select(0x7c00u, 0x7e00u, magnitude > 0x7f800000u);
  }
  if (magnitude >= 0x38800000u) { // 2^-14 and above: the exponent moves
    return sign | ((magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13u) & 1u)) >> 13u);
  }
  // Below, an f16 is a multiple of 2^-24: the fraction with its hidden bit is shifted.
  let shift = 126u - (magnitude >> 23u);
  if (shift > 25u) {
    return sign;
  }
  let fraction = (magnitude & 0x7fffffu) | 0x800000u;
  return sign | ((fraction + (1u << (shift - 1u)) - 1u + ((fraction >> shift) & 1u)) >> shift);
}

// Values of all entries, two in a word, then 0 up to a multiple of 8.
@group(0) @binding(5) var<storage, read_write> values: array<vec4<u32>>;

// Entries 8 eight .. 8 eight + 7, by the bits of their values in f32.
fn store_eight(eight: u32, low: vec4<u32>, high: vec4<u32>) {
  values[eight] = vec4(
    f16_of(low.x) | (f16_of(low.y) << 16u),
    f16_of(low.z) | (f16_of(low.w) << 16u),
    f16_of(high.x) | (f16_of(high.y) << 16u),
    f16_of(high.z) | (f16_of(high.w) << 16u),
  );
}

// variant f32: f32.
// Provides: store_eight.

// Values of all entries, then 0 up to a multiple of 8.
@group(0) @binding(5) var<storage, read_write> values: array<vec4<u32>>;

// Entries 8 eight .. 8 eight + 7, by the bits of their values.
fn store_eight(eight: u32, low: vec4<u32>, high: vec4<u32>) {
  values[2u * eight] = low;
  values[2u * eight + 1u] = high;
}
