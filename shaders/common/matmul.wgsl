// common/matmul: C = A B between matrices of a feed-forward block, sums in f32: sizes, operands and tile.
// Gives: params, Sums, TILE_M, TILE_N, LANES, multiply_tile, place_of_four, store_tile.

// include common/matmul_sizes.wgsl: params
// include common/gemm_arithmetic.wgsl#f32: Words, Sums, multiply_add
// include common/gemm.wgsl: TILE_M, TILE_N, LANES, multiply_tile, place_of_four, store_tile
// include common/matmul_a_rows.wgsl or common/matmul_a_columns.wgsl: line_of_a, load_a
// include common/matmul_b_rows.wgsl or common/matmul_b_columns.wgsl: load_b
