// bitmask/walk: the part of a row that one lane multiplies: groups of eight neighbouring values, whose columns are the set
// bits of the mask, from the column on in which the host has found the first.
// Gives: walk_values.  Takes: bits_from, params, Sum, add_value.

// include common/values_f16.wgsl or common/values_f32.wgsl: Eight, load_values
// include bitmask/group_columns_16.wgsl or bitmask/group_columns_32.wgsl: group_column

// What of a row's mask a lane has in front of it.
struct Bits {
  left: u32, // of 32 columns, those whose values are still to come
  first: u32, // of these columns
}

// The next columns in which a bit is set.
fn bits_behind(bits: Bits, row_word: u32) -> Bits {
  var next = bits;
  while (next.left == 0u && next.first < params.cols) {
    next.first += 32u;
    next.left = bits_from(row_word, next.first);
  }
  return next;
}

// The next value of the row, times the x of the lowest set bit, which is taken away. Counting the ones below it finds the
// column: firstTrailingBit says the same in words, and is translated to some 25 instructions.
fn add_next(sum: ptr<function, Sum>, bits: ptr<function, Bits>, value: f32, row_word: u32) {
  if ((*bits).left == 0u) {
    *bits = bits_behind(*bits, row_word);
  }
  let below = (*bits).left - 1u;
  // step: product
  add_value(sum, value, (*bits).first + countOneBits(below & ~(*bits).left));
  (*bits).left &= below;
}

// A group that lies in the row.
fn add_group(sum: ptr<function, Sum>, values: Eight, first_bits: Bits, row_word: u32) {
  var bits = first_bits;
  add_next(sum, &bits, values.low.x, row_word);
  add_next(sum, &bits, values.low.y, row_word);
  add_next(sum, &bits, values.low.z, row_word);
  add_next(sum, &bits, values.low.w, row_word);
  add_next(sum, &bits, values.high.x, row_word);
  add_next(sum, &bits, values.high.y, row_word);
  add_next(sum, &bits, values.high.z, row_word);
  add_next(sum, &bits, values.high.w, row_word);
}

// Those values of a group that are among the values from `begin` to before `end`.
fn add_some(sum: ptr<function, Sum>, group: u32, begin: u32, end: u32, row_word: u32) {
  let values = load_values(group);
  // Where the group begins in a row before, this one begins with its first column.
  let column = select(group_column(group), 0u, 8u * group < begin);
  var bits = Bits(bits_from(row_word, column), column);
  let ordinal = 8u * group - begin; // wraps around before the row, so that one comparison tests both ends
  let count = end - begin;
  if (ordinal < count) { add_next(sum, &bits, values.low.x, row_word); }
  if (ordinal + 1u < count) { add_next(sum, &bits, values.low.y, row_word); }
  if (ordinal + 2u < count) { add_next(sum, &bits, values.low.z, row_word); }
  if (ordinal + 3u < count) { add_next(sum, &bits, values.low.w, row_word); }
  if (ordinal + 4u < count) { add_next(sum, &bits, values.high.x, row_word); }
  if (ordinal + 5u < count) { add_next(sum, &bits, values.high.y, row_word); }
  if (ordinal + 6u < count) { add_next(sum, &bits, values.high.z, row_word); }
  if (ordinal + 7u < count) { add_next(sum, &bits, values.high.w, row_word); }
}

// This lane's part of the values from `begin` to before `end`, all of one row, of which either is the row's edge or on a
// whole group: every `lanes`-th group, counted from the group with the first value.
fn walk_values(begin: u32, end: u32, row_word: u32, lane: u32, lanes: u32) -> Sum {
  var sum = Sum();
  var group = begin / 8u + lane;
  let behind = end / 8u + lane; // of all lanes the first whole groups end together
  if (8u * (group - lane) < begin) {
    add_some(&sum, group, begin, end, row_word);
    group += lanes;
  }
  for (; group + 2u * lanes <= behind; group += 2u * lanes) { // two groups, so that their loads are under way together
    // step: word
    let values_a = load_values(group);
    let values_b = load_values(group + lanes);
    let column_a = group_column(group);
    let column_b = group_column(group + lanes);
    let bits_a = Bits(bits_from(row_word, column_a), column_a);
    let bits_b = Bits(bits_from(row_word, column_b), column_b);
    add_group(&sum, values_a, bits_a, row_word);
    add_group(&sum, values_b, bits_b, row_word);
  }
  if (group + lanes <= behind) {
    let values = load_values(group);
    let column = group_column(group);
    add_group(&sum, values, Bits(bits_from(row_word, column), column), row_word);
    group += lanes;
  }
  if (8u * (group - lane) < end) {
    add_some(&sum, group, begin, end, row_word);
  }
  return sum;
}
