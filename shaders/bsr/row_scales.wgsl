// bsr/row_scales: cells that are multiplied by the scale of their row.
// Gives: row_scale.

// The value of one step of the row; one per row. Behind the output, so that the other bindings keep their numbers.
@group(0) @binding(6) var<storage, read> scales: array<f32>;

fn row_scale(row: u32) -> f32 {
  return scales[row];
}
