// ec-csr/x_cached: x where it is, read through the cache.
// Gives: x_at.

// One per column of the matrix.
@group(0) @binding(6) var<storage, read> x: array<f32>;

fn x_at(column: u32) -> f32 {
  return x[column];
}
