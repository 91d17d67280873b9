// bitmask/set_bits: iterates over the set bits of the mask: within 32 bits, within 64 columns (Wide), or over words (Far).
// Provides: lowest_bit, without_lowest_bit, wide_from, is_left, next_wide, far_from, next_far.  Requires: mask, bits_from,
// words_per_row.

// The position of the lowest set bit, 32 if none is set. Counts the bits below it, since firstTrailingBit takes some 25
// instructions.
fn lowest_bit(bits: u32) -> u32 {
  return countOneBits((bits - 1u) & ~bits);
}

fn without_lowest_bit(bits: u32) -> u32 {
  return bits & (bits - 1u);
}

// The remaining set bits of 64 columns, and the first of these columns.
struct Wide {
  low: u32,
  high: u32,
  column: u32,
}

// The 64 columns from `column` on, of the row whose mask begins at `row_word`.
fn wide_from(row_word: u32, column: u32) -> Wide {
  return Wide(bits_from(row_word, column), bits_from(row_word, column + 32u), column);
}

// Whether a set bit remains.
fn is_left(left: Wide) -> bool {
  return (left.low | left.high) != 0u;
}

// Returns the column of the lowest set bit, and clears it; without branches.
fn next_wide(left: ptr<function, Wide>) -> u32 {
  let is_low = (*left).low != 0u;
  let bits = select((*left).high, (*left).low, is_low);
  let column = (*left).column + select(32u, 0u, is_low) + lowest_bit(bits);
  let rest = without_lowest_bit(bits);
  (*left).high = select(rest, (*left).high, is_low);
  (*left).low = select(0u, rest, is_low);
  return column;
}

// The remaining set bits of a word of the row, and the number of the word.
struct Far {
  bits: u32,
  word: u32,
}

// The set bits from `column` on in its word, of the row whose mask begins at `row_word`.
fn far_from(row_word: u32, column: u32) -> Far {
  let word = column / 32u;
  return Far(mask[row_word + word] & (0xffffffffu << (column & 31u)), word);
}

// Returns the column of the next set bit, and clears it; reads as many words as needed.
fn next_far(left: ptr<function, Far>, row_word: u32) -> u32 {
  while ((*left).bits == 0u && (*left).word + 1u < words_per_row()) {
    (*left).word += 1u;
    (*left).bits = mask[row_word + (*left).word];
  }
  let column = 32u * (*left).word + lowest_bit((*left).bits);
  (*left).bits = without_lowest_bit((*left).bits);
  return column;
}
