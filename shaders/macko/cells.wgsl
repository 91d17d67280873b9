// macko/cells: which of four neighbouring cells of a dense row are not 0.

// variant fours: rows whose length is a multiple of 4, read four cells at a time.
// Provides: find_four.  Requires: params.

// Cells as bits of f32, columns 4 i .. 4 i + 3, one row after the other.
@group(0) @binding(1) var<storage, read> cells: array<vec4<u32>>;

// Returns four bits for a group of four columns, 4 * group to 4 * group + 3: bit i is 1 if the cell of this row in column
// 4 * group + i is not 0. Bits past the last column are 0. Without a branch, so that several of these loads are in flight at
// once.
fn find_four(row: u32, group: u32) -> u32 {
  let is_there = row < params.rows && 4u * group < params.cols;
  let quad = cells[select(0u, row * (params.cols / 4u) + group, is_there)] & vec4(0x7fffffffu);
  let bits = select(vec4<u32>(), vec4(1u, 2u, 4u, 8u), vec4(is_there) & (quad != vec4<u32>()));
  return bits.x | bits.y | bits.z | bits.w;
}

// variant ones: rows of any length.
// Provides: find_four.  Requires: params.

// Cells as bits of f32, one row after the other.
@group(0) @binding(1) var<storage, read> cells: array<u32>;

// Returns four bits for a group of four columns, 4 * group to 4 * group + 3: bit i is 1 if the cell of this row in column
// 4 * group + i is not 0. Bits past the last column are 0. Without a branch, so that several of these loads are in flight at
// once.
fn find_four(row: u32, group: u32) -> u32 {
  let columns = 4u * group + vec4(0u, 1u, 2u, 3u);
  let are_there = vec4(row < params.rows) & (columns < vec4(params.cols));
  let at = select(vec4<u32>(), row * params.cols + columns, are_there);
  let quad = vec4(cells[at.x], cells[at.y], cells[at.z], cells[at.w]) & vec4(0x7fffffffu);
  let bits = select(vec4<u32>(), vec4(1u, 2u, 4u, 8u), are_there & (quad != vec4<u32>()));
  return bits.x | bits.y | bits.z | bits.w;
}
