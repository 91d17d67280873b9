// bsr/tokens_line: a lane's sums for Y = X A^T with up to 16 tokens, over one line of each of its blocks.
// Provides: QUADS, lane_parts, store_tokens.

// A line is a row of a block.

// include bsr/matrix.wgsl: params, BLOCK, WORKGROUP_SIZE, indices, first_block, end_block
// include bsr/cells.wgsl#f16 or #f32 or #i8: four_cells
// include common/row_scale.wgsl#none or #at_6: row_scale

// Fours of tokens, at most 4: ceil(tokens / 4).
override QUADS: u32 = 4u;

// Activations, tokens x columns.
@group(0) @binding(4) var<storage, read> x: array<f32>;
// Tokens x rows.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

// One column of four tokens. Past the last token, the last one is read again; past the last column, the last column,
// where the cells are 0.
fn four_tokens(quad: u32, column: u32) -> vec4<f32> {
  let tokens = min(vec4(4u * quad) + vec4(0u, 1u, 2u, 3u), vec4(params.tokens - 1u));
  let at = tokens * params.cols + min(column, params.cols - 1u);
  return vec4(x[at.x], x[at.y], x[at.z], x[at.w]);
}

// Adds a cell times its column of x to the sums of all tokens. A cell that is 0 adds nothing, for any x.
fn add_cell(sums: ptr<function, array<vec4<f32>, 4>>, cell: f32, column: u32) {
  if (cell == 0.0) {
    return;
  }
  for (var quad = 0u; quad < QUADS; quad++) {
    (*sums)[quad] += cell * four_tokens(quad, column);
  }
}

// This lane's part of row `local_index % BLOCK` of a block row, for every token.
fn lane_parts(block_row: u32, local_index: u32) -> array<vec4<f32>, 4> {
  let line = local_index % BLOCK;
  let end = end_block(block_row);
  var sums: array<vec4<f32>, 4>;
  for (var block = first_block(block_row, local_index); block < end; block += WORKGROUP_SIZE / BLOCK) {
    let first = (block * BLOCK + line) * BLOCK;
    let column = indices[block] * BLOCK;
    for (var c = 0u; c < BLOCK; c += 4u) {
      let cells = four_cells((first + c) / 4u);
      if (BLOCK == 2u) { // four cells are the whole block
        add_cell(&sums, select(cells.x, cells.z, line == 1u), column);
        add_cell(&sums, select(cells.y, cells.w, line == 1u), column + 1u);
      } else {
        add_cell(&sums, cells.x, column + c);
        add_cell(&sums, cells.y, column + c + 1u);
        add_cell(&sums, cells.z, column + c + 2u);
        add_cell(&sums, cells.w, column + c + 3u);
      }
    }
  }
  return sums;
}

// Writes the sums of four tokens for a line of a block row to y.
fn store_tokens(block_row: u32, line: u32, quad: u32, sums: vec4<f32>) {
  let row = block_row * BLOCK + line;
  if (row >= params.rows) {
    return;
  }
  let scaled = sums * row_scale(row);
  for (var i = 0u; i < 4u && 4u * quad + i < params.tokens; i++) {
    y[(4u * quad + i) * params.rows + row] = scaled[i];
  }
}
