// ec-csr/rows_1: the sum of one lane for a block of one row.
// Provides: lane_sum_1.
//
// Padding is a value of 0 in a column where the row has no entry. A value of 0 is recognised by == 0 (!= is false for
// NaN on some devices) and its product is 0, even if x is Inf or NaN there.

// include ec-csr/sets.wgsl: BlockSet, x, LANES, VECTOR_SIZE, walk_of, place_of, gather, columns_after
// include ec-csr/arrays.wgsl: PackedDeltas, packed_deltas, unpacked_deltas, delta_at, PackedFour, packed_four, unpacked_four,
//   value_at

// Four stored columns of a lane.
struct Segment1 {
  deltas: PackedDeltas,
  values: PackedFour,
}

fn segment_1(blocks: BlockSet, place: u32) -> Segment1 {
  return Segment1(packed_deltas(blocks, place), packed_four(blocks.values_at + place));
}

// The products of a segment with x, added up. `column` moves on to the segment's last column.
fn products_1(s: Segment1, column: ptr<function, u32>) -> f32 {
  // step: gather
  let gathered = gather(columns_after(column, unpacked_deltas(s.deltas)));
  let four = unpacked_four(s.values);
  return dot(four, select(gathered, vec4(0.0), four == vec4(0.0)));
}

fn lane_sum_1(blocks: BlockSet, block: u32, lane: u32) -> f32 {
  let walk = walk_of(blocks, block, lane);
  var column = walk.column;
  var sum = 0.0;
  var first = 0u;
  if (VECTOR_SIZE == 4u && walk.segments > 0u) {
    // The next segment is loaded while one is computed; two per iteration. Past the last, the last is loaded again.
    var even = segment_1(blocks, walk.place);
    var s = 0u;
    for (; s + 2u <= walk.segments; s += 2u) {
      let odd = segment_1(blocks, walk.place + (s + 1u) * 4u * LANES);
      sum += products_1(even, &column);
      even = segment_1(blocks, walk.place + min(s + 2u, walk.segments - 1u) * 4u * LANES);
      sum += products_1(odd, &column);
    }
    if (s < walk.segments) {
      sum += products_1(even, &column);
    }
    first = 4u * walk.segments;
  }
  // Columns that fill no vector of four, one by one.
  for (var i = first; i < walk.columns; i++) {
    let place = place_of(walk, i);
    column += delta_at(blocks, place);
    let value = value_at(blocks.values_at + place);
    sum += value * select(x[column], 0.0, value == 0.0);
  }
  return sum;
}
