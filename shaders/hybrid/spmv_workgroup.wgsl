// hybrid/spmv_workgroup: y = A x, one workgroup per row, from its slots or from the dense tail.
// Source: TwELL paper, Algorithm 3. Differs: a vector x, and one pass over both parts in the order of the rows.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

// include common/workgroup_per_row.wgsl: main
// include hybrid/row.wgsl: params, y, row_part
