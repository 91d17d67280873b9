// bitmask/walk: the part of a row that one lane multiplies: groups of eight neighbouring values, whose columns are the set
// bits of the mask, from the column on in which the host has found the first.
// Gives: walk_values.  Takes: mask, bits_from, words_per_row, x_at.

// include common/values_f16.wgsl or common/values_f32.wgsl: Eight, load_values, value_at
// include bitmask/group_columns_16.wgsl or bitmask/group_columns_32.wgsl: group_column

// The lowest set bit. Counts the bits below it: firstTrailingBit says the same in words, and is translated to some 25
// instructions. 32 where none is set.
fn lowest_bit(bits: u32) -> u32 {
  return countOneBits((bits - 1u) & ~bits);
}

fn without_lowest_bit(bits: u32) -> u32 {
  return bits & (bits - 1u);
}

// Eight values times the x of their columns.
struct Product {
  sum: f32, // means something where all of them were found
  found: bool,
}

// The columns of a group are those of the eight lowest of 32 bits, counted from `column` on, if there are as many. Without
// branches: one in 950 groups has fewer at density 0.5, and those are walked again.
fn group_product(values: Eight, bits: u32, column: u32) -> Product {
  let b = without_lowest_bit(bits);
  let c = without_lowest_bit(b);
  let d = without_lowest_bit(c);
  let e = without_lowest_bit(d);
  let f = without_lowest_bit(e);
  let g = without_lowest_bit(f);
  let h = without_lowest_bit(g);
  // step: product
  var sum = values.low.x * x_at(column + lowest_bit(bits));
  sum = fma(values.low.y, x_at(column + lowest_bit(b)), sum);
  sum = fma(values.low.z, x_at(column + lowest_bit(c)), sum);
  sum = fma(values.low.w, x_at(column + lowest_bit(d)), sum);
  sum = fma(values.high.x, x_at(column + lowest_bit(e)), sum);
  sum = fma(values.high.y, x_at(column + lowest_bit(f)), sum);
  sum = fma(values.high.z, x_at(column + lowest_bit(g)), sum);
  sum = fma(values.high.w, x_at(column + lowest_bit(h)), sum);
  return Product(sum, h != 0u);
}

// The values of a group one by one: those from `begin` to before `end`, all of one row, over as many words of the mask as
// it takes.
fn slow_product(group: u32, begin: u32, end: u32, row_word: u32) -> f32 {
  // Where the group begins in a row before, this one begins with its first column.
  let column = select(group_column(group), 0u, 8u * group < begin);
  var word = column / 32u;
  var bits = mask[row_word + word] & (0xffffffffu << (column & 31u));
  var sum = 0.0;
  let last = min(end, 8u * group + 8u);
  for (var i = max(begin, 8u * group); i < last; i++) {
    while (bits == 0u && word + 1u < words_per_row()) {
      word += 1u;
      bits = mask[row_word + word];
    }
    sum = fma(value_at(i), x_at(32u * word + lowest_bit(bits)), sum);
    bits = without_lowest_bit(bits);
  }
  return sum;
}

// What of a product counts at once. A group with values of other rows, or whose columns lie far apart, does not: its bit of
// `missed` is set.
fn counted(product: Product, group: u32, begin: u32, end: u32, bit: u32, missed: ptr<function, u32>) -> f32 {
  if (8u * group >= begin && 8u * group + 8u <= end && product.found) {
    return product.sum;
  }
  if (8u * group < end) {
    *missed |= bit;
  }
  return 0.0;
}

// The groups of a turn that did not count at once.
fn missed_products(missed: u32, first: u32, lanes: u32, begin: u32, end: u32, row_word: u32) -> f32 {
  var sum = 0.0;
  for (var bits = missed; bits != 0u; bits = without_lowest_bit(bits)) {
    sum += slow_product(first + lanes * lowest_bit(bits), begin, end, row_word);
  }
  return sum;
}

// This lane's part of the values from `begin` to before `end`, all of one row; each is an edge of the row or stands between two
// groups. Every `lanes`-th group, counted from the one with the first value.
fn walk_values(begin: u32, end: u32, row_word: u32, lane: u32, lanes: u32) -> f32 {
  var sum = 0.0;
  var first = begin / 8u; // of lane 0
  // Read a turn ahead, since where the mask is read depends on it.
  var next_a = group_column(first + lane);
  var next_b = group_column(first + lanes + lane);
  var next_c = group_column(first + 2u * lanes + lane);
  for (; 8u * (first + 3u * lanes) <= end; first += 3u * lanes) { // three groups, so that their loads are under way together
    let a = first + lane;
    let b = a + lanes;
    let c = b + lanes;
    let values_a = load_values(a);
    let values_b = load_values(b);
    let values_c = load_values(c);
    let column_a = next_a;
    let column_b = next_b;
    let column_c = next_c;
    // step: word
    let bits_a = bits_from(row_word, column_a);
    let bits_b = bits_from(row_word, column_b);
    let bits_c = bits_from(row_word, column_c);
    next_a = group_column(c + lanes);
    next_b = group_column(c + 2u * lanes);
    next_c = group_column(c + 3u * lanes);
    var missed = 0u;
    sum += counted(group_product(values_a, bits_a, column_a), a, begin, end, 1u, &missed);
    sum += counted(group_product(values_b, bits_b, column_b), b, begin, end, 2u, &missed);
    sum += counted(group_product(values_c, bits_c, column_c), c, begin, end, 4u, &missed);
    sum += missed_products(missed, a, lanes, begin, end, row_word);
  }
  for (; 8u * first < end; first += lanes) {
    let group = first + lane;
    let values = load_values(group);
    let column = group_column(group);
    let bits = bits_from(row_word, column);
    var missed = 0u;
    sum += counted(group_product(values, bits, column), group, begin, end, 1u, &missed);
    sum += missed_products(missed, group, lanes, begin, end, row_word);
  }
  return sum;
}
