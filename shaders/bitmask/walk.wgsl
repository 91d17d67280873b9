// bitmask/walk: one lane's part of the sum of a row. A group is eight neighbouring values; their columns are the set bits of
// the mask from the stored column of the group on. A group is searched in 32 columns first (group_product); if it extends over
// more, in 64 (wide_product); if over still more, value by value (slow_product). A group that is shared with neighbouring rows
// is searched in 32 columns (shared_product), then value by value.
// Provides: walk_values.  Requires: bits_from, x_at.

// include common/values.wgsl#f16 or #f32 or #i8 or #i4_entries: Eight, load_values, value_at
// include bitmask/group_columns.wgsl#16 or #32: group_column
// include bitmask/set_bits.wgsl: lowest_bit, without_lowest_bit, wide_from, is_left, next_wide, far_from, next_far

// Number of columns in which a group is searched again if it extends over more than 32: 64. Or 32: no second search, but value
// by value at once.
override AGAIN_COLUMNS: u32 = 64u;

// Eight values times the x of their columns.
struct Product {
  sum: f32, // valid if all of them were found
  found: bool, // whether the searched columns contain the columns of all eight values
}

// The columns of a group are the columns of the eight lowest of 32 bits, counted from `column` on, if there are as
// many. Without branches: one in 2,300 groups has fewer at density 0.5, and those are walked again.
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

// The same as group_product for a group that also contains values of neighbouring rows: those add nothing, for any value and
// any x.
// `column`: the stored column of the group, or 0, the row's first, if the group begins in a row before.
fn shared_product(values: Eight, bits: u32, column: u32, group: u32, begin: u32, end: u32) -> Product {
  // A bit for each value of a row before, below the row's own.
  let foreign = select(0u, begin - 8u * group, 8u * group < begin);
  let a = (bits << foreign) | ((1u << foreign) - 1u);
  let b = without_lowest_bit(a);
  let c = without_lowest_bit(b);
  let d = without_lowest_bit(c);
  let e = without_lowest_bit(d);
  let f = without_lowest_bit(e);
  let g = without_lowest_bit(f);
  let h = without_lowest_bit(g);
  let base = column - foreign;
  let ordinal = 8u * group - begin; // of the first value, counted from the row's first; wraps around before it
  let count = end - begin;
  var sum = select(0.0, values.low.x * x_at(base + lowest_bit(a)), ordinal < count);
  sum += select(0.0, values.low.y * x_at(base + lowest_bit(b)), ordinal + 1u < count);
  sum += select(0.0, values.low.z * x_at(base + lowest_bit(c)), ordinal + 2u < count);
  sum += select(0.0, values.low.w * x_at(base + lowest_bit(d)), ordinal + 3u < count);
  sum += select(0.0, values.high.x * x_at(base + lowest_bit(e)), ordinal + 4u < count);
  sum += select(0.0, values.high.y * x_at(base + lowest_bit(f)), ordinal + 5u < count);
  sum += select(0.0, values.high.z * x_at(base + lowest_bit(g)), ordinal + 6u < count);
  sum += select(0.0, values.high.w * x_at(base + lowest_bit(h)), ordinal + 7u < count);
  return Product(sum, h != 0u);
}

// The values of a group one by one: from `begin` to before `end`, all of one row, over as many words of the mask as
// needed.
fn slow_product(group: u32, begin: u32, end: u32, row_word: u32) -> f32 {
  // If the group begins in a row before, this row begins with its first column.
  let column = select(group_column(group), 0u, 8u * group < begin);
  var left = far_from(row_word, column);
  var sum = 0.0;
  let last = min(end, 8u * group + 8u);
  for (var i = max(begin, 8u * group); i < last; i++) {
    sum = fma(value_at(i), x_at(next_far(&left, row_word)), sum);
  }
  return sum;
}

// The product of a group that belongs to one row only, whose columns are searched among 64, without branches.
fn wide_product(group: u32, row_word: u32) -> Product {
  let values = load_values(group);
  let column = group_column(group);
  var left = wide_from(row_word, column);
  var sum = values.low.x * x_at(next_wide(&left));
  sum = fma(values.low.y, x_at(next_wide(&left)), sum);
  sum = fma(values.low.z, x_at(next_wide(&left)), sum);
  sum = fma(values.low.w, x_at(next_wide(&left)), sum);
  sum = fma(values.high.x, x_at(next_wide(&left)), sum);
  sum = fma(values.high.y, x_at(next_wide(&left)), sum);
  sum = fma(values.high.z, x_at(next_wide(&left)), sum);
  let found = is_left(left);
  sum = fma(values.high.w, x_at(next_wide(&left)), sum);
  return Product(sum, found);
}

// The sum of a product whose columns were found; otherwise 0, and the group's bit of `missed` is set.
fn sum_or_miss(product: Product, bit: u32, missed: ptr<function, u32>) -> f32 {
  if (product.found) {
    return product.sum;
  }
  *missed |= bit;
  return 0.0;
}

// The product of a group that was not found in 32 columns, and that belongs to one row only.
fn product_again(group: u32, begin: u32, end: u32, row_word: u32) -> f32 {
  if (AGAIN_COLUMNS > 32u) {
    let product = wide_product(group, row_word);
    if (product.found) {
      return product.sum;
    }
  }
  return slow_product(group, begin, end, row_word);
}

// The products of the groups of an iteration whose columns were not found; a bit of `missed` for each.
fn missed_products(missed: u32, first: u32, lanes: u32, begin: u32, end: u32, row_word: u32) -> f32 {
  var sum = 0.0;
  for (var bits = missed; bits != 0u; bits = without_lowest_bit(bits)) {
    sum += product_again(first + lanes * lowest_bit(bits), begin, end, row_word);
  }
  return sum;
}

// The product of a group that may be shared with neighbouring rows, or be past the end of the row.
fn edge_product(group: u32, begin: u32, end: u32, row_word: u32) -> f32 {
  let values = load_values(group);
  let column = select(group_column(group), 0u, 8u * group < begin);
  let product = shared_product(values, bits_from(row_word, column), column, group, begin, end);
  if (product.found) {
    return product.sum;
  }
  if (8u * group < end) {
    return slow_product(group, begin, end, row_word);
  }
  return 0.0;
}

// This lane's part of the sum of the values from `begin` to before `end`, all of one row: every `lanes`-th group, counted from
// the one with the first value. `begin` and `end` are edges of the row or of groups.
fn walk_values(begin: u32, end: u32, row_word: u32, lane: u32, lanes: u32) -> f32 {
  var sum = 0.0;
  var first = begin / 8u; // of lane 0
  let whole = end / 8u; // the first group that is not the row's alone
  if (8u * first < begin) {
    sum = edge_product(first + lane, begin, end, row_word);
    first += lanes;
  }
  // Loaded an iteration ahead, since the address in the mask depends on it.
  var next_a = group_column(first + lane);
  var next_b = group_column(first + lanes + lane);
  var next_c = group_column(first + 2u * lanes + lane);
  for (; first + 3u * lanes <= whole; first += 3u * lanes) { // three groups, so that their loads are in flight together
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
    sum += sum_or_miss(group_product(values_a, bits_a, column_a), 1u, &missed);
    sum += sum_or_miss(group_product(values_b, bits_b, column_b), 2u, &missed);
    sum += sum_or_miss(group_product(values_c, bits_c, column_c), 4u, &missed);
    sum += missed_products(missed, a, lanes, begin, end, row_word);
  }
  for (; first + lanes <= whole; first += lanes) {
    let group = first + lane;
    let values = load_values(group);
    let column = next_a;
    next_a = next_b;
    next_b = next_c;
    var missed = 0u;
    sum += sum_or_miss(group_product(values, bits_from(row_word, column), column), 1u, &missed);
    sum += missed_products(missed, group, lanes, begin, end, row_word);
  }
  if (8u * first < end) {
    sum += edge_product(first + lane, begin, end, row_word);
  }
  return sum;
}
