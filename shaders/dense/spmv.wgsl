// dense/spmv: y = A x for a dense A, a few rows per workgroup (the reference that formats are compared with).
// Source: GEMV as in every BLAS. Differs: nothing.

// include dense/row_pair.wgsl or dense/row_quad.wgsl or dense/row_quad_i4.wgsl or dense/row_quad_digits.wgsl:
//   ROWS_PER_WORKGROUP, Sums, row_sums, store_sums
// include dense/matrix.wgsl: params, WORKGROUP_SIZE

// variant subgroup: summed by subgroups.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 4 B per lane and row.

// include common/spmv_few_rows.wgsl#subgroup: main

// variant workgroup: summed through workgroup memory.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane and row.

// include common/spmv_few_rows.wgsl#workgroup: main
