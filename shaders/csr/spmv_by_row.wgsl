// csr/spmv_by_row: y = A x, several lanes per row, eight entries per lane and step.
// Source: Bell and Garland 2009, CSR (vector) kernel. Differs: 16-byte loads that start before the row and mask its edges;
// without subgroups, a workgroup per row.

// include csr/row.wgsl: params, y, row_part
// include common/x_global.wgsl#f32: x_at

// variant subgroup: one subgroup per row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/spmv_by_row.wgsl#subgroup: main

// variant workgroup: one workgroup per row.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

// include common/spmv_by_row.wgsl#workgroup: main
