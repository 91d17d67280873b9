// hybrid/pattern: finds entries of a hybrid, which are numbered: the slots of all rows, then the cells of the tail.
// Provides: NO_ENTRY, Places, places_of, cell_of_tail, column_at, is_used, entry_in.  Requires: params.

// include common/indices.wgsl#16: index_at

// In tail_map: the row is in its slots.
const NONE = 0xffffffffu;
// The row has no entry in a column.
const NO_ENTRY = 0xffffffffu;

// Non-zeros of each row.
@group(0) @binding(3) var<storage, read> counts: array<u32>;
// Tail row of each row, or NONE.
@group(0) @binding(4) var<storage, read> tail_map: array<u32>;
// Cells of the long rows as bf16, two in a u32, the lower half first.
@group(0) @binding(5) var<storage, read> tail: array<u32>;

// The entries of a row: its slots that are used, or all cells of its row of the tail.
struct Places {
  first: u32, // number of the first entry
  count: u32,
  first_cell: u32, // of the tail
  in_tail: bool,
}

fn places_of(row: u32) -> Places {
  let tail_row = tail_map[row];
  if (tail_row == NONE) {
    return Places(row * params.slots, counts[row], 0u, false);
  }
  let first_cell = tail_row * params.cols;
  return Places(params.rows * params.slots + first_cell, params.cols, first_cell, true);
}

// A cell of the tail as the bits of an f32.
fn cell_of_tail(cell: u32) -> u32 {
  let pair = tail[cell >> 1u];
  return select(pair << 16u, pair & 0xffff0000u, (cell & 1u) == 1u);
}

fn column_at(places: Places, i: u32) -> u32 {
  if (places.in_tail) {
    return i;
  }
  return index_at(places.first + i);
}

// By its bits: a comparison of numbers may take a stored NaN for a 0.
fn is_used(places: Places, i: u32) -> bool {
  return !places.in_tail || (cell_of_tail(places.first_cell + i) & 0x7fffffffu) != 0u;
}

// Number of the entry of a row in a column, or NO_ENTRY. A binary search, since the columns of a row ascend.
fn entry_in(row: u32, column: u32) -> u32 {
  let places = places_of(row);
  if (places.in_tail) {
    return select(NO_ENTRY, places.first + column, is_used(places, column));
  }
  var low = 0u;
  var high = places.count;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (index_at(places.first + middle) < column) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  if (low < places.count && index_at(places.first + low) == column) {
    return places.first + low;
  }
  return NO_ENTRY;
}
