// macko/gaps_in_bytes: the eight stored gaps of a group in the bytes of two u32, for widths of 1, 2 and 4 bits.
// Gives: Gaps, Prefix, gap_total, gap_prefix.

struct Gaps {
  even: u32, // entries 0, 2, 4, 6, the lowest byte first
  odd: u32, // entries 1, 3, 5, 7
}

struct Prefix {
  low: vec4<u32>, // entries 0 to 3
  high: vec4<u32>, // entries 4 to 7
}

fn gap_total(gaps: Gaps) -> u32 {
  return ((gaps.even + gaps.odd) * 0x01010101u) >> 24u;
}

// Per entry: the gaps of the group up to and with it, plus its place in the group.
fn gap_prefix(gaps: Gaps) -> Prefix {
  // Byte i of the product is the sum of bytes 0 to i: at most 8 * 15, so no byte runs into the next.
  let upto_odd = (gaps.even + gaps.odd) * 0x01010101u;
  let odd = upto_odd + 0x07050301u;
  let even = upto_odd - gaps.odd + 0x06040200u;
  return Prefix(
    vec4(even & 0xffu, odd & 0xffu, (even >> 8u) & 0xffu, (odd >> 8u) & 0xffu),
    vec4((even >> 16u) & 0xffu, (odd >> 16u) & 0xffu, even >> 24u, odd >> 24u),
  );
}
