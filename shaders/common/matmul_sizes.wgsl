// common/matmul_sizes: sizes of C = A B between matrices of a feed-forward block.
// Gives: params.

struct Params {
  m: u32, // rows of C
  n: u32, // columns of C
  k: u32, // products of every sum
  a_stride: u32, // elements from one stored row of A to the next, a multiple of 4
  b_stride: u32,
  c_stride: u32,
  h_stride: u32, // of h, where a kernel multiplies with it
  tile_width: u32, // of TwELL, where a kernel packs it: columns of a tile, a power of two
  slots: u32, // and words of a tile row
}

@group(0) @binding(0) var<uniform> params: Params;
