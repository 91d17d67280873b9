// csr/spmv_workgroup: y = A x, one workgroup per row, eight entries per lane and step.
// Source: Bell and Garland 2009, CSR (vector) kernel. Differs: 16-byte loads that start before the row and mask its edges.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

// include common/workgroup_per_row.wgsl: main
// include csr/row.wgsl: params, y, row_part
// include common/x_global.wgsl: x_at
