// ec-csr/rows_2: the sums of one lane for a block of two rows; every gather of x feeds both.
// Provides: lane_sums_2.
//
// Padding is a column of zeros. A value of 0 is recognised by == 0 (!= is false for NaN on some devices) and its product
// is 0, even if x is Inf or NaN there.

// include ec-csr/sets.wgsl: BlockSet, x, LANES, VECTOR_SIZE, walk_of, place_of, gather, columns_after
// include ec-csr/arrays.wgsl: PackedDeltas, packed_deltas, unpacked_deltas, delta_at, PackedEight, packed_eight,
//   unpacked_eight, value_at

// Four stored columns of a lane.
struct Segment2 {
  deltas: PackedDeltas,
  values: PackedEight,
}

fn segment_2(blocks: BlockSet, place: u32) -> Segment2 {
  return Segment2(packed_deltas(blocks, place), packed_eight(blocks.values_at + 2u * place));
}

// The products of a segment with x, added up for each row. `column` moves on to the segment's last column.
fn products_2(s: Segment2, column: ptr<function, u32>) -> vec2<f32> {
  // step: gather
  let gathered = gather(columns_after(column, unpacked_deltas(s.deltas)));
  let v = unpacked_eight(s.values);
  let low = select(v.low * gathered.xxyy, vec4(0.0), v.low == vec4(0.0));
  let high = select(v.high * gathered.zzww, vec4(0.0), v.high == vec4(0.0));
  return (low.xy + low.zw) + (high.xy + high.zw);
}

fn lane_sums_2(blocks: BlockSet, block: u32, lane: u32) -> vec2<f32> {
  let walk = walk_of(blocks, block, lane);
  var column = walk.column;
  var sums = vec2(0.0);
  var first = 0u;
  if (VECTOR_SIZE == 4u && walk.segments > 0u) {
    // The next segment is loaded while one is computed; two per iteration. Past the last, the last is loaded again.
    var even = segment_2(blocks, walk.place);
    var s = 0u;
    for (; s + 2u <= walk.segments; s += 2u) {
      let odd = segment_2(blocks, walk.place + (s + 1u) * 4u * LANES);
      sums += products_2(even, &column);
      even = segment_2(blocks, walk.place + min(s + 2u, walk.segments - 1u) * 4u * LANES);
      sums += products_2(odd, &column);
    }
    if (s < walk.segments) {
      sums += products_2(even, &column);
    }
    first = 4u * walk.segments;
  }
  // Columns that fill no vector of four, one by one.
  for (var i = first; i < walk.columns; i++) {
    let place = place_of(walk, i);
    column += delta_at(blocks, place);
    let at = blocks.values_at + 2u * place;
    let pair = vec2(value_at(at), value_at(at + 1u));
    sums += select(pair * x[column], vec2(0.0), pair == vec2(0.0));
  }
  return sums;
}
