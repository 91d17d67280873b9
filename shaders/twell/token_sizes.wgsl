// twell/token_sizes: sizes for computing token by token.
// Provides: params.

struct Params {
  tokens: u32,
  width: u32, // columns of x and y, a multiple of 8
  tiles: u32, // tiles of a token
  slots: u32, // places of a tile row, a power of two
}

@group(0) @binding(0) var<uniform> params: Params;
