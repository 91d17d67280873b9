// twell/spmv_workgroup: y = A x, one workgroup per row, neighbouring lanes on neighbouring slots.
// Source: TwELL paper, Algorithm 2. Differs: a vector of x in place of up and down projection; lanes share slots, not outputs.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

// include common/workgroup_per_row.wgsl: main
// include twell/packed_row.wgsl or twell/split_row.wgsl: params, y, row_part
