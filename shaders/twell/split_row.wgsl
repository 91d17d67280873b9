// twell/split_row: one lane's part of the sum of a row, which several lanes share; values and columns are separate arrays.
// Provides: params, y, row_part.

// include common/values.wgsl#bf16: value_at
// include common/indices.wgsl#32: index_at

struct Params {
  rows: u32,
  tiles: u32, // tiles of a row
  slots: u32, // slots of a tile row, a power of two
}

@group(0) @binding(0) var<uniform> params: Params;
// Non-zeros of each tile row, row by row.
@group(0) @binding(3) var<storage, read> counts: array<u32>;
// One per column.
@group(0) @binding(4) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// This lane's part of a row: every `lanes`-th slot, unless it is past the count of its tile row.
fn row_part(row: u32, lane: u32, lanes: u32) -> f32 {
  let per_row = params.tiles * params.slots;
  let first_tile = row * params.tiles;
  let first = row * per_row;
  var sum = 0.0;
  for (var at = lane; at < per_row; at += lanes) {
    let slot = at & (params.slots - 1u);
    if (slot < counts[first_tile + at / params.slots]) {
      // step: product
      sum += value_at(first + at) * x[index_at(first + at)];
    }
  }
  return sum;
}
