// dense/gemm_i8_subgroup_matrix: Y = Q(X) W^T with dense weights in i8, a tile per workgroup, multiplied by the matrix units
// of the device: exact integers, scaled once at the end.
// Source: GEMM as in every BLAS. Differs: nothing.
// Lanes: subgroups of 32, each of which lies in 32 neighbouring lanes.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: subgroups, chromium-experimental-subgroup-matrix.
// Workgroup memory: (TILE_M + TILE_N) * (STEP + 16) B.

// include common/gemm_i8_subgroup_matrix.wgsl: main, params
// include dense/row_words.wgsl: row_words
// include common/row_scale.wgsl#at_4: row_scale
