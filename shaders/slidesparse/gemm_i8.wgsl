// slidesparse/gemm_i8: Y = Q(X) W^T with slid weights in i8 and lifted activations, a tile per workgroup: exact integers,
// scaled once at the end.
// Source: SlideSparse paper, section 4, without sparse tensor cores. Differs: windows become whole words while they are
// staged, so that a word of weights meets a word of lifted activations, zeros included.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).

// include common/gemm_quantised.wgsl: main
// include slidesparse/gemm_windows_i8.wgsl: load_b
// include common/row_scale.wgsl#at_5: row_scale
