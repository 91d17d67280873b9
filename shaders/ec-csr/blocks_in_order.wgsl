// ec-csr/blocks_in_order: every workgroup takes neighbouring blocks of a set; x where it lies.
// Gives: blockPtr, Blocks, blocks_of, walk_of, x_at.  Takes: params, BlockSet, Walk, baseIndices, x.

// Start of every block in columns of its set, and the end of the last.
@group(0) @binding(4) var<storage, read> blockPtr: array<u32>;

fn x_at(column: u32) -> f32 {
  return x[column];
}

// The blocks of one workgroup: from `first` on, in one set.
struct Blocks {
  set_index: u32, // set_count for a workgroup that has nothing to do
  first: u32,
}

// Every set takes a whole number of workgroups of `per_workgroup` blocks.
fn blocks_of(workgroup: u32, per_workgroup: u32) -> Blocks {
  var left = workgroup;
  for (var s = 0u; s < params.set_count; s++) {
    let workgroups = (params.sets[s].blocks + per_workgroup - 1u) / per_workgroup;
    if (left < workgroups) {
      return Blocks(s, left * per_workgroup);
    }
    left -= workgroups;
  }
  return Blocks(params.set_count, 0u);
}

fn walk_of(blocks: BlockSet, block: u32, lane: u32) -> Walk {
  let start = blockPtr[blocks.block_ptr_at + block];
  let columns = blockPtr[blocks.block_ptr_at + block + 1u] - start;
  return Walk(
    start + lane * blocks.vector_size,
    columns / (LANES * blocks.vector_size),
    baseIndices[blocks.base_indices_at + block * LANES + lane],
  );
}
