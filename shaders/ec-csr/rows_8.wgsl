// ec-csr/rows_8: what one lane adds up of a block of eight rows; every gather of x feeds all of them.
// Gives: Segment8, lane_sums_8.  Takes: walk_of, place_of, gather, columns_after, packed_deltas, packed_eight,
// halves_stored.
//
// Padding is a column of zeros. It is told by its values, so that Inf and NaN in x never meet it.

// Four columns of a lane as they are stored.
struct Segment8 {
  deltas: PackedDeltas,
  a: PackedEight,
  b: PackedEight,
  c: PackedEight,
  d: PackedEight,
}

fn segment_8(blocks: BlockSet, place: u32) -> Segment8 {
  let first = blocks.values_at + 8u * place;
  return Segment8(
    packed_deltas(blocks, place),
    packed_eight(first),
    packed_eight(first + 8u),
    packed_eight(first + 16u),
    packed_eight(first + 24u),
  );
}

// Rows 0 to 3, and rows 4 to 7.
fn column_8(p: PackedEight, gathered: f32) -> mat2x4<f32> {
  let v = unpacked_eight(p);
  let factor = select(0.0, gathered, any(halves_stored(p)));
  return mat2x4(v.low * factor, v.high * factor);
}

fn products_8(s: Segment8, column: ptr<function, u32>) -> mat2x4<f32> {
  let gathered = gather(columns_after(column, unpacked_deltas(s.deltas)));
  return (column_8(s.a, gathered.x) + column_8(s.b, gathered.y)) + (column_8(s.c, gathered.z) + column_8(s.d, gathered.w));
}

fn lane_sums_8(blocks: BlockSet, block: u32, lane: u32) -> mat2x4<f32> {
  let walk = walk_of(blocks, block, lane);
  var column = walk.column;
  var sums = mat2x4<f32>();
  var first = 0u;
  if (VECTOR_SIZE == 4u && walk.segments > 0u) {
    // While a segment computes, the next is on its way; two per turn. Behind the last, the last is loaded again.
    var even = segment_8(blocks, walk.place);
    var s = 0u;
    for (; s + 2u <= walk.segments; s += 2u) {
      let odd = segment_8(blocks, walk.place + (s + 1u) * 4u * LANES);
      sums += products_8(even, &column);
      even = segment_8(blocks, walk.place + min(s + 2u, walk.segments - 1u) * 4u * LANES);
      sums += products_8(odd, &column);
    }
    if (s < walk.segments) {
      sums += products_8(even, &column);
    }
    first = 4u * walk.segments;
  }
  // What fills no vector of four, one by one.
  for (var i = first; i < walk.columns; i++) {
    let place = place_of(walk, i);
    column += delta_at(blocks, place);
    sums += column_8(packed_eight(blocks.values_at + 8u * place), x[column]);
  }
  return sums;
}
