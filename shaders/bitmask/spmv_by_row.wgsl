// bitmask/spmv_by_row: y = A x, several lanes per row, eight values per lane and step, x in global memory.
// Source: the bitmap decoding of SpInfer, section 4. Differs: GEMV without tensor cores; lanes take values and walk the set
// bits from the first column of each eight, which is stored; without subgroups, a workgroup per row.
// Provides: row_part.

// include bitmask/matrix.wgsl: params, mask, indptr, y, words_per_row, bits_from
// include bitmask/walk.wgsl: walk_values
// include common/row_scale.wgsl#none or #at_7: row_scale
// include common/x_global.wgsl#f32: x_at

fn row_part(row: u32, lane: u32, lanes: u32) -> f32 {
  return row_scale(row) * walk_values(indptr[row], indptr[row + 1u], row * words_per_row(), lane, lanes);
}

// variant subgroup: one subgroup per row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/spmv_by_row.wgsl#subgroup: main

// variant workgroup: one workgroup per row.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

// include common/spmv_by_row.wgsl#workgroup: main
