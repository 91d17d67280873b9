// macko/entries_of: how many entries non-zeros become, by the zeros between them.
// Gives: DELTA_BITS, entries_of.

// Bits of a gap.
override DELTA_BITS: u32 = 4u;

// Entries of the non-zeros among 32 columns, of which there is one at least: `before` zeros lie between the row's last
// non-zero, or its beginning, and these columns.
fn entries_of(mask: u32, before: u32) -> u32 {
  let first = countTrailingZeros(mask);
  var rest = mask >> first;
  var entries = countOneBits(mask) + ((before + first) >> DELTA_BITS);
  // Zeros between two of them, and of these the ones that begin a run as long as a gap reaches.
  var runs = ~rest & ((1u << firstLeadingBit(rest)) - 1u);
  for (var step = 0u; step < min(DELTA_BITS, 5u); step++) {
    runs &= runs >> (1u << step);
  }
  if (runs != 0u) {
    while (rest > 1u) {
      rest >>= 1u;
      let zeros = countTrailingZeros(rest);
      entries += zeros >> DELTA_BITS;
      rest >>= zeros;
    }
  }
  return entries;
}
