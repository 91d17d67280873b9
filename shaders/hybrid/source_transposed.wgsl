// hybrid/source_transposed: columns of a hybrid as rows, to be made a hybrid.
// Gives: Source, places_in_row, source_at, source_cell.

// include hybrid/layout_sizes.wgsl: params
// include hybrid/pattern.wgsl: NO_ENTRY, entry_in
// include hybrid/stored_values.wgsl: value_bits

// What stands at a place of a row.
struct Source {
  is_used: bool,
  column: u32,
  bits: u32, // of a bf16
  is_lost: bool, // more stood here than there was room for
}

fn places_in_row() -> u32 {
  return params.rows;
}

// What a row of the source has in this column.
fn source_at(row: u32, place: u32) -> Source {
  let entry = entry_in(place, row);
  if (entry == NO_ENTRY) {
    return Source();
  }
  return Source(true, place, value_bits(entry) >> 16u, false);
}

// A cell as the bits of a bf16.
fn source_cell(row: u32, column: u32) -> u32 {
  return source_at(row, column).bits;
}
