// macko/spmv_subgroup: y = A x, one subgroup per row, x from global memory as f32.
// Source: MACKO paper, section 4.4. Differs: two steps share one scan by shuffles; row edges masked by ordinal, so that
// Inf and NaN in x reach no other row, and only in the first and the last steps of a row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include macko/subgroup_per_row.wgsl: main
// include common/x_global.wgsl: x_at
