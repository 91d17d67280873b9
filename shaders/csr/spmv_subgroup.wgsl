// csr/spmv_subgroup: y = A x, one subgroup per row, eight entries per lane and step.
// Source: Bell and Garland 2009, CSR (vector) kernel. Differs: 16-byte loads that start before the row and mask its edges.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/subgroup_per_row.wgsl: main
// include csr/row.wgsl: params, y, row_part
// include common/x_global.wgsl: x_at
