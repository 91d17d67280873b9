// hybrid/sizes: the uniform with the sizes of a kernel.

// variant block: sizes of products of a hybrid's entries with rows of x, y or weights.
// Provides: params.

struct Params {
  rows: u32, // tokens
  cols: u32, // neurons
  slots: u32, // slots of a row
  width: u32, // columns of x, y and the weights, a multiple of 8
  step: u32, // which of its steps a kernel does
  plane: u32, // first element of the plane that a kernel reads or writes
  entries: u32, // slots of all rows and cells of the tail
  l1_weight: f32, // of sum |h| in the loss, where a kernel goes backward through it
}

@group(0) @binding(0) var<uniform> params: Params;

// variant layout: sizes of the matrix that is read, and of the hybrid that is written.
// Provides: params.

struct Params {
  rows: u32, // of the matrix that is read
  cols: u32,
  slots: u32, // of a row
  rows_out: u32, // of the hybrid that is written
  cols_out: u32,
  slots_out: u32,
  tail_capacity: u32, // rows that its tail has room for
  tiles: u32, // of a row, where TwELL is read
  tile_slots: u32, // words of a tile row
  tile_width: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
