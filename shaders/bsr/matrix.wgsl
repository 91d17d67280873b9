// bsr/matrix: sizes and index arrays of a BSR matrix, for all kernels of the format.
// Provides: params, BLOCK, WORKGROUP_SIZE, indices, first_block, end_block.

struct Params {
  rows: u32,
  cols: u32,
  tokens: u32, // 1 where x is one vector
}

// Rows and columns of a block: 2, 4, 8 or 16.
override BLOCK: u32 = 4u;
// Lanes per workgroup, a power of two, and at least BLOCK.
override WORKGROUP_SIZE: u32 = 64u;

@group(0) @binding(0) var<uniform> params: Params;
// Block column of every block.
@group(0) @binding(2) var<storage, read> indices: array<u32>;
// Blocks before block row i, and the number of all blocks past the last.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;

// The first block of this lane: BLOCK lanes take one block, each of them one of its lines.
fn first_block(block_row: u32, local_index: u32) -> u32 {
  return indptr[block_row] + local_index / BLOCK;
}

fn end_block(block_row: u32) -> u32 {
  return indptr[block_row + 1u];
}
