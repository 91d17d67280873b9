// macko/cells_ones: rows of cells of any length.
// Gives: find_four.  Takes: params.

// Bits of f32, one row after the other.
@group(0) @binding(1) var<storage, read> cells: array<u32>;

// Which of columns 4 four .. 4 four + 3 of a row are not 0, the first in the lowest bit; none past the last column.
fn find_four(row: u32, four: u32) -> u32 {
  let end = min(4u * four + 4u, params.cols);
  var found = 0u;
  for (var column = 4u * four; column < end; column++) {
    let is_found = (cells[row * params.cols + column] & 0x7fffffffu) != 0u;
    found |= u32(is_found) << (column % 4u);
  }
  return found;
}
