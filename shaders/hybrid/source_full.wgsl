// hybrid/source_full: rows of h in full, to be made a hybrid.
// Gives: Source, places_in_row, source_at, source_cell.

// include hybrid/layout_sizes.wgsl: params
// include common/bf16_bits.wgsl: bf16_of

// The bits of an f32 for every cell, one row after the other.
@group(0) @binding(1) var<storage, read> hidden: array<u32>;

// What stands at a place of a row.
struct Source {
  is_used: bool,
  column: u32,
  bits: u32, // of a bf16
  is_lost: bool, // more stood here than there was room for
}

fn places_in_row() -> u32 {
  return params.cols;
}

// By its bits, so that numbers too small for some devices count.
fn source_at(row: u32, place: u32) -> Source {
  let bits = hidden[row * params.cols + place];
  return Source((bits & 0x7fffffffu) != 0u, place, bf16_of(bits), false);
}

// A cell as the bits of a bf16.
fn source_cell(row: u32, column: u32) -> u32 {
  return source_at(row, column).bits;
}
