// ec-csr/sets: the sets of blocks, and which block a group of lanes computes.
// Provides: BlockSet, blockPtr, x, LANES, VECTOR_SIZE, GRANULARITIES, share_of, Walk, walk_of, place_of, gather,
// columns_after, base_at.

// include ec-csr/bases.wgsl#16 or #32: base_at

// Where a set begins in each of the arrays, in elements; in deltaIndices in words.
struct BlockSet {
  granularity: u32, // rows of a block
  blocks: u32,
  row_indices_at: u32,
  block_ptr_at: u32,
  base_indices_at: u32,
  delta_words_at: u32,
  @size(8) values_at: u32,
}

struct Params {
  rows: u32,
  // One or two per granularity, those with larger blocks first.
  @align(16) sets: array<BlockSet, 8>,
}

@group(0) @binding(0) var<uniform> params: Params;
// Start of every block in columns of its set, and the end of the last.
@group(0) @binding(4) var<storage, read> blockPtr: array<u32>;
// One per column of the matrix.
@group(0) @binding(6) var<storage, read> x: array<f32>;

// Lanes that share a block by its layout, a power of two up to 32.
override LANES: u32 = 32u;
// Columns of a segment: those of a lane that are neighbours in memory. After the segments of a block come, lane after
// lane, the columns that fill no segment.
override VECTOR_SIZE: u32 = 4u;
// How many sets there are. Known beforehand, so that the search among them is unrolled.
override SETS: u32 = 8u;
// The granularities of all sets, added up; code for other granularities is removed.
override GRANULARITIES: u32 = 15u;

// What a workgroup computes: blocks of one set, from `first` on; nothing if the set has no such block.
struct Share {
  blocks: BlockSet,
  first: u32,
}

// Every set uses a whole number of workgroups of `per_workgroup` blocks.
fn share_of(workgroup: u32, per_workgroup: u32) -> Share {
  var left = workgroup;
  for (var s = 0u; s < SETS; s++) {
    let workgroups = (params.sets[s].blocks + per_workgroup - 1u) / per_workgroup;
    if (left < workgroups) {
      return Share(params.sets[s], left * per_workgroup);
    }
    left -= workgroups;
  }
  return Share(params.sets[0], params.sets[0].blocks);
}

// How one lane walks through a block. Positions count the columns of the set in memory order.
struct Walk {
  place: u32, // its first column in segments
  single: u32, // the same, if it had no segment
  columns: u32, // how many columns it has
  segments: u32, // how many segments of VECTOR_SIZE columns they fill
  column: u32, // matrix column of the first
}

// The walk of lane `lane` through block number `block` of a set.
fn walk_of(blocks: BlockSet, block: u32, lane: u32) -> Walk {
  let start = blockPtr[blocks.block_ptr_at + block];
  let columns = (blockPtr[blocks.block_ptr_at + block + 1u] - start) / LANES;
  return Walk(
    start + lane * VECTOR_SIZE,
    start + lane,
    columns,
    columns / VECTOR_SIZE,
    base_at(blocks.base_indices_at + block * LANES + lane),
  );
}

// The position of a lane's column i.
fn place_of(walk: Walk, i: u32) -> u32 {
  let segment = i / VECTOR_SIZE;
  let in_segment = walk.place + segment * VECTOR_SIZE * LANES + i % VECTOR_SIZE;
  return select(walk.single + i * LANES, in_segment, segment < walk.segments);
}

fn gather(columns: vec4<u32>) -> vec4<f32> {
  return vec4(x[columns.x], x[columns.y], x[columns.z], x[columns.w]);
}

// Running sums: the columns after the steps, counted from `column`, which moves on to the last of them.
fn columns_after(column: ptr<function, u32>, steps: vec4<u32>) -> vec4<u32> {
  let a = *column + steps.x;
  let b = a + steps.y;
  let c = b + steps.z;
  let d = c + steps.w;
  *column = d;
  return vec4(a, b, c, d);
}
