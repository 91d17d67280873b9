// bitmask/spmv_workgroup: y = A x, one workgroup per row, eight values per lane and step, x where it lies.
// Source: the bitmap decoding of SpInfer, section 4. Differs: GEMV without tensor cores; lanes take values and walk the set
// bits from a column on that the host has listed.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

// include common/workgroup_per_row.wgsl: main
// include bitmask/row.wgsl: params, y, row_part
// include common/x_global.wgsl: x_at
