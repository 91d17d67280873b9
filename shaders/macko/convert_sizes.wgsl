// macko/convert_sizes: sizes of a dense matrix and of the arrays that are made of it.
// Gives: params.

struct Params {
  rows: u32,
  cols: u32,
  words: u32, // of 32 columns each, in a row
  places: u32, // for values: a multiple of 8
  delta_words: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
