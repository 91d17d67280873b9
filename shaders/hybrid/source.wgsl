// hybrid/source: reads the rows that are converted to a hybrid.

// include hybrid/sizes.wgsl#layout: params

// The non-zero at a position of a row.
struct Source {
  is_used: bool,
  column: u32,
  bits: u32, // of a bf16
  is_lost: bool, // non-zeros of this tile row were lost
}

// variant full or full_bf16: dense rows of h.

fn places_in_row() -> u32 {
  return params.cols;
}

// variant full: dense rows of h, as f32.
// Provides: Source, places_in_row, source_at, source_cell.

// include common/bf16_bits.wgsl: bf16_of

// The bits of an f32 for every cell, one row after the other.
@group(0) @binding(1) var<storage, read> hidden: array<u32>;

// Compares bits, since some devices would treat the smallest numbers as 0.
fn source_at(row: u32, place: u32) -> Source {
  let bits = hidden[row * params.cols + place];
  return Source((bits & 0x7fffffffu) != 0u, place, bf16_of(bits), false);
}

// A cell as the bits of a bf16.
fn source_cell(row: u32, column: u32) -> u32 {
  return source_at(row, column).bits;
}

// variant full_bf16: dense rows of h, as bf16.
// Provides: Source, places_in_row, source_at, source_cell.

// Two cells in each word, the first in the lower half; every row takes a multiple of four cells.
@group(0) @binding(1) var<storage, read> hidden: array<u32>;

fn source_at(row: u32, place: u32) -> Source {
  let bits = source_cell(row, place);
  return Source((bits & 0x7fffu) != 0u, place, bits, false);
}

// A cell as the bits of a bf16.
fn source_cell(row: u32, column: u32) -> u32 {
  let pair = hidden[(row * ((params.cols + 3u) & ~3u) + column) / 2u];
  return (pair >> (16u * (column & 1u))) & 0xffffu;
}

// variant twell: rows of packed TwELL.
// Provides: Source, places_in_row, source_at, source_cell.

// Tile rows one after the other: the count, then bf16 bits above a column of 16 bits.
@group(0) @binding(1) var<storage, read> words: array<u32>;

fn places_in_row() -> u32 {
  return params.tiles * params.tile_slots;
}

fn source_at(row: u32, place: u32) -> Source {
  let first = row * places_in_row();
  let slot = place % params.tile_slots;
  let count = words[first + place - slot];
  if (slot == 0u) {
    return Source(false, 0u, 0u, count >= params.tile_slots);
  }
  if (slot > count) {
    return Source();
  }
  let word = words[first + place];
  return Source(true, word & 0xffffu, word >> 16u, false);
}

// A cell as the bits of a bf16. Columns ascend inside a tile row, so this is a binary search.
fn source_cell(row: u32, column: u32) -> u32 {
  let first = (row * params.tiles + column / params.tile_width) * params.tile_slots;
  let end = min(words[first], params.tile_slots - 1u) + 1u;
  var low = 1u;
  var high = end;
  while (low < high) {
    let middle = (low + high) / 2u;
    if ((words[first + middle] & 0xffffu) < column) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  if (low < end) {
    let word = words[first + low];
    return select(0u, word >> 16u, (word & 0xffffu) == column);
  }
  return 0u;
}

// variant transposed: columns of a hybrid, as rows.
// Provides: Source, places_in_row, source_at, source_cell.

// include hybrid/pattern.wgsl: NO_ENTRY, entry_in
// include hybrid/factors.wgsl#stored: value_bits

fn places_in_row() -> u32 {
  return params.rows;
}

// The non-zero of a row of the hybrid in this column.
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
