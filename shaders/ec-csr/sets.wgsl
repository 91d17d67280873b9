// ec-csr/sets: the sets of blocks, and the way through one of them.
// Gives: Params, params, baseIndices, x, LANES, MAX_GRANULARITY, BlockSet, Walk, gather, columns_after.  Takes: x_at.

// Where a set begins in each of the arrays, in elements; in deltaIndices in words.
struct BlockSet {
  granularity: u32, // rows of a block
  vector_size: u32, // neighbouring columns of a lane in memory
  blocks: u32,
  row_indices_at: u32,
  block_ptr_at: u32,
  base_indices_at: u32,
  delta_words_at: u32,
  values_at: u32,
}

struct Params {
  rows: u32,
  set_count: u32,
  cols: u32,
  // Two per granularity, the one with larger blocks first.
  @align(16) sets: array<BlockSet, 8>,
}

@group(0) @binding(0) var<uniform> params: Params;
// Absolute column of every lane's first column; LANES per block.
@group(0) @binding(3) var<storage, read> baseIndices: array<u32>;
// One per column of the matrix.
@group(0) @binding(6) var<storage, read> x: array<f32>;

// Lanes that share a block by its layout, a power of two up to 32.
override LANES: u32 = 32u;
// Largest granularity of any set; the paths of larger ones are left out.
override MAX_GRANULARITY: u32 = 8u;

// One lane's way through a block. Places count the columns of the set in memory order.
struct Walk {
  place: u32, // its first column
  segments: u32, // segments of vector_size columns
  column: u32, // matrix column of the first
}

fn gather(columns: vec4<u32>) -> vec4<f32> {
  return vec4(x_at(columns.x), x_at(columns.y), x_at(columns.z), x_at(columns.w));
}

// Running sums: the columns behind the steps, counted from `column`, which moves on to the last of them.
fn columns_after(column: ptr<function, u32>, steps: vec4<u32>) -> vec4<u32> {
  let a = *column + steps.x;
  let b = a + steps.y;
  let c = b + steps.z;
  let d = c + steps.w;
  *column = d;
  return vec4(a, b, c, d);
}
