// macko/cells_fours: rows of cells whose length is a multiple of 4, read four at a time.
// Gives: find_four.  Takes: params.

// Bits of f32, columns 4 i .. 4 i + 3 of all rows, one row after the other.
@group(0) @binding(1) var<storage, read> cells: array<vec4<u32>>;

// Which of columns 4 four .. 4 four + 3 of a row are not 0, the first in the lowest bit; none past the last column. Without
// a branch, so that several of these loads are under way at once.
fn find_four(row: u32, four: u32) -> u32 {
  let is_there = row < params.rows && 4u * four < params.cols;
  let quad = cells[select(0u, row * (params.cols / 4u) + four, is_there)] & vec4(0x7fffffffu);
  let bits = select(vec4<u32>(), vec4(1u, 2u, 4u, 8u), vec4(is_there) & (quad != vec4<u32>()));
  return bits.x | bits.y | bits.z | bits.w;
}
