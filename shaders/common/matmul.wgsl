// common/matmul: C = A B between matrices of a feed-forward block, sums in f32: sizes, operands and tile.
// Provides: params, Sums, TILE_M, TILE_N, LANES, multiply_tile, store_tile, place_of_four.

// include common/gemm_arithmetic.wgsl#f32: Words, Sums, multiply_add
// include common/gemm.wgsl: TILE_M, TILE_N, LANES, multiply_tile, place_of_four, store_tile
// include common/matmul_a.wgsl#rows_bf16 or #rows_f16 or #rows_f32 or #columns_f32: line_of_a, load_a
// include common/matmul_b.wgsl#rows or #columns: load_b

struct Params {
  m: u32, // rows of C
  n: u32, // columns of C
  k: u32, // products of every sum
  a_stride: u32, // elements from one stored row of A to the next, a multiple of 4
  b_stride: u32,
  c_stride: u32,
  // Elements from one row of h to the next, where a kernel reads h by rows. A flag, 0 or 1, in two kernels without such
  // rows: dense/forward stores x Wu^T if it is 1, dense/backward_product adds to C if it is 1.
  h_stride: u32,
  tile_width: u32, // of TwELL, where a kernel packs it: columns of a tile, a power of two
  slots: u32, // and words of a tile row
  l1_weight: f32, // of sum |h| in the loss, where a kernel goes backward through it
}

@group(0) @binding(0) var<uniform> params: Params;
