// common/x_global: x read from global memory.

// variant f32: f32.
// Provides: x_at.

// One per column.
@group(0) @binding(4) var<storage, read> x: array<f32>;

fn x_at(column: u32) -> f32 {
  return x[column];
}

// variant f16: f16 pairs in a u32, first in the low half.
// Provides: x_at.

// Columns 2 i and 2 i + 1 as f16, the lower half first.
@group(0) @binding(4) var<storage, read> x: array<u32>;

fn x_at(column: u32) -> f32 {
  return unpack2x16float(x[column >> 1u] >> (16u * (column & 1u))).x;
}
