// hybrid/tail_cells: cells of the tail of a hybrid that is made.
// Gives: tail_cell.  Takes: tail_rows.

// include hybrid/layout_sizes.wgsl: params
// include hybrid/source_full.wgsl or hybrid/source_transposed.wgsl or hybrid/source_twell.wgsl: source_cell

// A cell as the bits of a bf16: 0 in rows that are free, and behind the last.
fn tail_cell(cell: u32) -> u32 {
  if (cell >= params.tail_capacity * params.cols_out) {
    return 0u;
  }
  let row = tail_rows[cell / params.cols_out];
  if (row >= params.rows_out) {
    return 0u;
  }
  return source_cell(row, cell % params.cols_out);
}
