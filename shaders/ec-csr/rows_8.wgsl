// ec-csr/rows_8: the sums of one lane for a block of eight rows; every gather of x feeds all of them.
// Provides: lane_sums_8.
//
// The four columns of a lane in a segment take 64 bytes if values take two. If each lane loaded its own columns, each load
// would touch one cache line per lane. Sums do not depend on which lane multiplies a column: here lane i multiplies the
// columns i, i + LANES, i + 2 LANES and i + 3 LANES of a segment, counted in memory. Neighbouring lanes then load
// neighbouring values, and mostly neighbouring elements of x.
//
// Padding is a column of zeros. It is recognised by its values and adds nothing, even if x is Inf or NaN there.

// include ec-csr/sets.wgsl: BlockSet, blockPtr, x, LANES, Walk, walk_of, place_of, gather, base_at
// include ec-csr/arrays.wgsl: PackedDeltas, packed_deltas, sum_of_deltas, delta_at, PackedEight, packed_eight, unpacked_eight,
//   halves_stored

// 1 if all blocks of eight rows are whole segments of four columns. An override, so that the compiler drops the code for
// other blocks, which would need registers even if it never ran.
override WHOLE_8: u32 = 0u;

// Adds a column: rows 0 to 3, and rows 4 to 7.
fn add_column_8(p: PackedEight, gathered: f32, sums: ptr<function, mat2x4<f32>>) {
  let v = unpacked_eight(p);
  let factor = vec4(select(0.0, gathered, any(halves_stored(p))));
  (*sums)[0] = fma(v.low, factor, (*sums)[0]);
  (*sums)[1] = fma(v.high, factor, (*sums)[1]);
}

// Four columns of a segment, each with the deltas of the layout's lane that it belongs to.
struct Chunks8 {
  deltas_a: PackedDeltas,
  deltas_b: PackedDeltas,
  deltas_c: PackedDeltas,
  deltas_d: PackedDeltas,
  a: PackedEight,
  b: PackedEight,
  c: PackedEight,
  d: PackedEight,
}

fn chunks_8(blocks: BlockSet, segment: u32, lane: u32) -> Chunks8 {
  let first = blocks.values_at + 8u * (segment + lane);
  return Chunks8(
    packed_deltas(blocks, segment + lane / 4u * 4u),
    packed_deltas(blocks, segment + (lane + LANES) / 4u * 4u),
    packed_deltas(blocks, segment + (lane + 2u * LANES) / 4u * 4u),
    packed_deltas(blocks, segment + (lane + 3u * LANES) / 4u * 4u),
    packed_eight(first),
    packed_eight(first + 8u * LANES),
    packed_eight(first + 16u * LANES),
    packed_eight(first + 24u * LANES),
  );
}

// Adds four columns to the sums. `columns`: the last column of each of the layout's lanes before the segment; afterwards
// the last one in it.
fn add_chunks_8(s: Chunks8, lane: u32, columns: ptr<function, vec4<u32>>, sums: ptr<function, mat2x4<f32>>) {
  let count = vec4(lane, lane + LANES, lane + 2u * LANES, lane + 3u * LANES) % 4u + 1u;
  // step: gather
  let gathered = gather(*columns + vec4(
    sum_of_deltas(s.deltas_a, count.x),
    sum_of_deltas(s.deltas_b, count.y),
    sum_of_deltas(s.deltas_c, count.z),
    sum_of_deltas(s.deltas_d, count.w),
  ));
  *columns += vec4(
    sum_of_deltas(s.deltas_a, 4u),
    sum_of_deltas(s.deltas_b, 4u),
    sum_of_deltas(s.deltas_c, 4u),
    sum_of_deltas(s.deltas_d, 4u),
  );
  add_column_8(s.a, gathered.x, sums);
  add_column_8(s.b, gathered.y, sums);
  add_column_8(s.c, gathered.z, sums);
  add_column_8(s.d, gathered.w, sums);
}

// A block of whole segments of four.
fn segments_8(blocks: BlockSet, block: u32, start: u32, end: u32, lane: u32) -> mat2x4<f32> {
  let bases = blocks.base_indices_at + block * LANES;
  var columns = vec4(
    base_at(bases + lane / 4u),
    base_at(bases + (lane + LANES) / 4u),
    base_at(bases + (lane + 2u * LANES) / 4u),
    base_at(bases + (lane + 3u * LANES) / 4u),
  );
  var sums = mat2x4<f32>();
  for (var segment = start; segment < end; segment += 4u * LANES) {
    add_chunks_8(chunks_8(blocks, segment, lane), lane, &columns, &sums);
  }
  return sums;
}

// Any other block, column by column.
fn columns_8(blocks: BlockSet, walk: Walk) -> mat2x4<f32> {
  var sums = mat2x4<f32>();
  var column = walk.column;
  for (var i = 0u; i < walk.columns; i++) {
    let place = place_of(walk, i);
    column += delta_at(blocks, place);
    add_column_8(packed_eight(blocks.values_at + 8u * place), x[column], &sums);
  }
  return sums;
}

fn lane_sums_8(blocks: BlockSet, block: u32, lane: u32) -> mat2x4<f32> {
  if (WHOLE_8 == 1u) {
    let start = blockPtr[blocks.block_ptr_at + block];
    return segments_8(blocks, block, start, blockPtr[blocks.block_ptr_at + block + 1u], lane);
  }
  return columns_8(blocks, walk_of(blocks, block, lane));
}
