// common/gemm: a tile of C = A B^T, of one of the three kinds of common/gemm_tile.
// Provides: TILE_M, TILE_N, LANES, FOURS, multiply_tile, place_of_four, store_tile.

// include common/gemm_staging.wgsl: TILE_M, TILE_N, LANES
// include common/gemm_tile.wgsl#large or #small or #lines: FOURS, multiply_tile,
//   place_of_four, store_tile
