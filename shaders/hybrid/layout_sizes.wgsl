// hybrid/layout_sizes: sizes of a hybrid that is read, and of one that is made.
// Gives: params.

struct Params {
  rows: u32, // of what is read
  cols: u32,
  slots: u32, // of a row
  rows_out: u32, // of what is made
  cols_out: u32,
  slots_out: u32,
  tail_capacity: u32, // rows that its tail has room for
  tiles: u32, // of a row, where TwELL is read
  tile_slots: u32, // words of a tile row
  tile_width: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
