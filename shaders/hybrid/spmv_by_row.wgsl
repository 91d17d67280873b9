// hybrid/spmv_by_row: y = A x, several lanes per row, from its slots or from the dense tail.
// Source: TwELL paper, Algorithm 3. Differs: a vector x, and one pass over both parts in the order of the rows.
// Provides: params, row_part, y.

// include common/values.wgsl#bf16: value_at
// include common/indices.wgsl#16: index_at

struct Params {
  rows: u32,
  cols: u32,
  slots: u32, // slots of a row
}

// In tail_map: the row is stored in its slots, not in the tail.
const NONE = 0xffffffffu;

@group(0) @binding(0) var<uniform> params: Params;
// Non-zeros of each row.
@group(0) @binding(3) var<storage, read> counts: array<u32>;
// Tail row of each row, or NONE.
@group(0) @binding(4) var<storage, read> tail_map: array<u32>;
// Cells of the long rows as bf16, two in a u32, the lower half first.
@group(0) @binding(5) var<storage, read> tail: array<u32>;
// One per column.
@group(0) @binding(6) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(7) var<storage, read_write> y: array<f32>;

// The product of one cell of the tail. A cell that is 0 contributes 0 even if x is infinite or NaN.
fn tail_product(cell: u32, column: u32) -> f32 {
  let pair = tail[cell >> 1u];
  let bits = select(pair << 16u, pair & 0xffff0000u, (cell & 1u) == 1u);
  // Compares the bits, since a comparison of floats may take a stored NaN for 0.
  return select(0.0, bitcast<f32>(bits) * x[column], (bits & 0x7fffffffu) != 0u);
}

// This lane's part of a row: every `lanes`-th slot, or every `lanes`-th column.
fn row_part(row: u32, lane: u32, lanes: u32) -> f32 {
  let tail_row = tail_map[row];
  var sum = 0.0;
  if (tail_row == NONE) {
    let first = row * params.slots;
    let count = counts[row];
    for (var slot = lane; slot < count; slot += lanes) {
      // step: product-slots
      sum += value_at(first + slot) * x[index_at(first + slot)];
    }
  } else {
    let first = tail_row * params.cols;
    for (var column = lane; column < params.cols; column += lanes) {
      // step: product-tail
      sum += tail_product(first + column, column);
    }
  }
  return sum;
}

// variant subgroup: one subgroup per row.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / rows per workgroup), folded into y above 65535.  Needs: subgroups.  Workgroup memory: 0 B.

// include common/spmv_by_row.wgsl#subgroup: main

// variant workgroup: one workgroup per row.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 4 B per lane.

// include common/spmv_by_row.wgsl#workgroup: main
