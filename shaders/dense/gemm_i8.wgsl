// dense/gemm_i8: Y = Q(X) W^T with dense weights in i8 and activations quantised to i8 (Q), a tile per workgroup: sums are
// exact integers, scaled once at the end.
// Source: GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).

// include common/gemm_quantised.wgsl: main, params, Words
// include common/gemm_rows.wgsl: load_b
// include common/row_scale.wgsl#at_4: row_scale
