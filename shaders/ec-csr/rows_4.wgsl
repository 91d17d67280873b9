// ec-csr/rows_4: one lane's part of the sums of a block of four rows; each gathered x is used for all four.
// Provides: lane_sums_4.
//
// Padding is a column of zeros. Where all values of a column are 0, x is not used: it may be Inf or NaN. Compares with ==,
// since != is false for NaN on some devices.

// include ec-csr/sets.wgsl: BlockSet, x, LANES, VECTOR_SIZE, walk_of, place_of, gather, columns_after
// include ec-csr/arrays.wgsl: PackedDeltas, packed_deltas, unpacked_deltas, delta_at, PackedEight, packed_eight,
//   unpacked_eight, halves_stored, packed_four, unpacked_four

// The stored deltas and values of four columns of a lane; the values of two columns in each of `ab` and `cd`.
struct Segment4 {
  deltas: PackedDeltas,
  ab: PackedEight,
  cd: PackedEight,
}

fn segment_4(blocks: BlockSet, place: u32) -> Segment4 {
  let first = blocks.values_at + 4u * place;
  return Segment4(packed_deltas(blocks, place), packed_eight(first), packed_eight(first + 8u));
}

// The products of a segment with x, added up for each row. `column` moves on to the segment's last column.
fn products_4(s: Segment4, column: ptr<function, u32>) -> vec4<f32> {
  let stored = vec4(halves_stored(s.ab), halves_stored(s.cd));
  // step: gather
  let gathered = select(vec4(0.0), gather(columns_after(column, unpacked_deltas(s.deltas))), stored);
  let ab = unpacked_eight(s.ab);
  let cd = unpacked_eight(s.cd);
  return (ab.low * gathered.x + ab.high * gathered.y) + (cd.low * gathered.z + cd.high * gathered.w);
}

fn lane_sums_4(blocks: BlockSet, block: u32, lane: u32) -> vec4<f32> {
  let walk = walk_of(blocks, block, lane);
  var column = walk.column;
  var sums = vec4(0.0);
  var first = 0u;
  if (VECTOR_SIZE == 4u && walk.segments > 0u) {
    // The next segment is loaded while the current one is computed; two per iteration. After the last, it is loaded again.
    var even = segment_4(blocks, walk.place);
    var s = 0u;
    for (; s + 2u <= walk.segments; s += 2u) {
      let odd = segment_4(blocks, walk.place + (s + 1u) * 4u * LANES);
      sums += products_4(even, &column);
      even = segment_4(blocks, walk.place + min(s + 2u, walk.segments - 1u) * 4u * LANES);
      sums += products_4(odd, &column);
    }
    if (s < walk.segments) {
      sums += products_4(even, &column);
    }
    first = 4u * walk.segments;
  }
  // Columns that fill no vector of four, one by one.
  for (var i = first; i < walk.columns; i++) {
    let place = place_of(walk, i);
    column += delta_at(blocks, place);
    let four = unpacked_four(packed_four(blocks.values_at + 4u * place));
    sums += select(four * x[column], vec4(0.0), four == vec4(0.0));
  }
  return sums;
}
