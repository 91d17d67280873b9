// hybrid/sizes: sizes of a kernel, in one uniform.

// variant block: sizes of what is computed with the entries of a hybrid and rows of x, y or weights.
// Gives: params.

struct Params {
  rows: u32, // tokens
  cols: u32, // neurons
  slots: u32, // slots of a row
  width: u32, // columns of x, y and the weights, a multiple of 8
  step: u32, // which of the things that a kernel does
  plane: u32, // where the factors begin that a kernel reads, or the products that it keeps
  entries: u32, // slots of all rows and cells of the tail
  l1_weight: f32, // of sum |h| in the loss, where a kernel goes backward through it
}

@group(0) @binding(0) var<uniform> params: Params;

// variant layout: sizes of a hybrid that is read, and of one that is made.
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
