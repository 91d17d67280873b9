// bitmask/row: what one lane adds up of a row that several lanes share, for one vector.
// Gives: params, y, row_part.

// include bitmask/matrix.wgsl: params, mask, indptr, y, words_per_row, bits_from
// include bitmask/walk.wgsl: walk_values

fn row_part(row: u32, lane: u32, lanes: u32) -> f32 {
  return walk_values(indptr[row], indptr[row + 1u], row * words_per_row(), lane, lanes);
}
