// common/f16_bits: f32 to f16 by its bits, rounded to nearest, halves to even: what pack2x16float leaves to the device.
// Gives: f16_of.

// The nearest f16 of an f32 that is given by its bits, in the lower half of the word. A NaN stays one.
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
