// hybrid/block_sizes: sizes of what is computed with the entries of a hybrid and rows of x, y or weights.
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
