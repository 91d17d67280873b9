// common/x_global: x read where it lies, as f32.
// Gives: x_at.

// One per column.
@group(0) @binding(4) var<storage, read> x: array<f32>;

fn x_at(column: u32) -> f32 {
  return x[column];
}
