// hybrid/cells_of_tail: where the cells of the tail of a hybrid lie in rows in full.
// Gives: elements, cell_of.

// include hybrid/layout_sizes.wgsl: params

// Row of each tail row, or all ones for a free one.
@group(0) @binding(2) var<storage, read> tail_rows: array<u32>;

fn elements() -> u32 {
  return params.tail_capacity * params.cols;
}

// For rows that are in use.
fn cell_of(cell: u32) -> u32 {
  return tail_rows[cell / params.cols] * params.cols + cell % params.cols;
}
