// bsr/vector_line: a lane's sum for y = A x, over one line of each of its blocks.
// Provides: lane_part, store_row.

// A line is a row of a block.

// include bsr/matrix.wgsl: params, BLOCK, WORKGROUP_SIZE, indices, first_block, end_block
// include bsr/cells.wgsl#f16 or #f32 or #i8: four_cells
// include common/row_scale.wgsl#none or #at_6: row_scale

// One per column.
@group(0) @binding(4) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// The last blocks may reach beyond the last column, where all cells are 0.
fn x_at(column: u32) -> f32 {
  return x[min(column, params.cols - 1u)];
}

// Four cells times the part of x that begins in `column`. A cell that is 0 adds nothing, for any x.
fn products(cells: vec4<f32>, column: u32) -> f32 {
  let part = vec4(x_at(column), x_at(column + 1u), x_at(column + 2u), x_at(column + 3u));
  // By == 0, since != is false for NaN with some compilers.
  return dot(select(cells * part, vec4(0.0), cells == vec4(0.0)), vec4(1.0));
}

// One line of a block times its part of x.
fn line_of_block(block: u32, line: u32) -> f32 {
  let column = indices[block] * BLOCK;
  if (BLOCK == 2u) { // four cells are the whole block
    let cells = four_cells(block);
    return products(vec4(select(cells.xy, cells.zw, line == 1u), 0.0, 0.0), column);
  }
  let fours = BLOCK / 4u;
  let first = (block * BLOCK + line) * fours;
  var sum = 0.0;
  for (var i = 0u; i < fours; i++) {
    sum += products(four_cells(first + i), column + 4u * i);
  }
  return sum;
}

// This lane's part of row `local_index % BLOCK` of a block row. Neighbouring lanes read neighbouring lines.
fn lane_part(block_row: u32, local_index: u32) -> f32 {
  let line = local_index % BLOCK;
  let end = end_block(block_row);
  var sum = 0.0;
  for (var block = first_block(block_row, local_index); block < end; block += WORKGROUP_SIZE / BLOCK) {
    // step: product
    sum += line_of_block(block, line);
  }
  return sum;
}

// Writes the sum of a line of a block row to y.
fn store_row(block_row: u32, line: u32, sum: f32) {
  let row = block_row * BLOCK + line;
  if (row < params.rows) {
    // step: sum
    y[row] = sum * row_scale(row);
  }
}
