// common/halves: eight cells of 4 bits, two in a byte, without their scale.
// Provides: Eight, halves_of.

struct Eight {
  low: vec4<f32>, // the low halves of the four bytes, the lowest byte first
  high: vec4<f32>, // the high halves
}

// Two halves at a time become the fractions of two f16 from 1024 on, as 1024 + q, or as 1024 + 16 q where they are higher in
// their bytes; what that adds, and the 8 that means 0, is subtracted again. Exact, and faster than turning integers
// into floats.
fn halves_of(word: u32) -> Eight {
  let upper = word >> 8u;
  let low_02 = unpack2x16float((word & 0x000f000fu) | 0x64006400u);
  let low_13 = unpack2x16float((upper & 0x000f000fu) | 0x64006400u);
  let high_02 = unpack2x16float((word & 0x00f000f0u) | 0x64006400u);
  let high_13 = unpack2x16float((upper & 0x00f000f0u) | 0x64006400u);
  return Eight(
    vec4(low_02.x, low_13.x, low_02.y, low_13.y) - 1032.0,
    fma(vec4(high_02.x, high_13.x, high_02.y, high_13.y), vec4(0.0625), vec4(-72.0)),
  );
}
