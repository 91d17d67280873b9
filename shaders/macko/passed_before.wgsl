// macko/passed_before: how far a row has come in front of some of its columns.
// Gives: masks, passed_before.

// Bit i of word w of a row: column 32 w + i is not 0. One row after the other.
@group(0) @binding(1) var<storage, read> masks: array<u32>;

// Columns of the row up to the last non-zero in front of word `end`; 0 where there is none.
fn passed_before(first: u32, end: u32) -> u32 {
  for (var word = end; word > 0u; word--) {
    let mask = masks[first + word - 1u];
    if (mask != 0u) {
      return 32u * word - countLeadingZeros(mask);
    }
  }
  return 0u;
}
