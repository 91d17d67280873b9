// common/token_products: eight entries of a row times the x of their columns, of several tokens at a time.
// Provides: eight_sum, some_sum.  Requires: x_at, Sum.

// include common/values.wgsl#f16 or #f32 or #i8 or #i4_entries: Eight

// Entries that all belong to the row, the first four in the columns `low`.
fn eight_sum(values: Eight, low: vec4<u32>, high: vec4<u32>) -> Sum {
  var sum = values.low.x * x_at(low.x);
  sum = fma(Sum(values.low.y), x_at(low.y), sum);
  sum = fma(Sum(values.low.z), x_at(low.z), sum);
  sum = fma(Sum(values.low.w), x_at(low.w), sum);
  sum = fma(Sum(values.high.x), x_at(high.x), sum);
  sum = fma(Sum(values.high.y), x_at(high.y), sum);
  sum = fma(Sum(values.high.z), x_at(high.z), sum);
  return fma(Sum(values.high.w), x_at(high.w), sum);
}

// 0 for an entry of a neighbouring row, for any value and any x.
fn own_product(value: f32, column: u32, is_own: bool) -> Sum {
  return select(Sum(), value * x_at(column), is_own);
}

// Entries that may include entries of neighbouring rows. Their columns may be outside of x; such a read
// returns some element of x, as WGSL guarantees, and is dropped. `ordinal` counts the first of them from the row's
// first; before the row it wraps around.
fn some_sum(values: Eight, low: vec4<u32>, high: vec4<u32>, ordinal: u32, count: u32) -> Sum {
  let in_low = vec4(ordinal) + vec4(0u, 1u, 2u, 3u) < vec4(count);
  let in_high = vec4(ordinal) + vec4(4u, 5u, 6u, 7u) < vec4(count);
  return own_product(values.low.x, low.x, in_low.x)
    + own_product(values.low.y, low.y, in_low.y)
    + own_product(values.low.z, low.z, in_low.z)
    + own_product(values.low.w, low.w, in_low.w)
    + own_product(values.high.x, high.x, in_high.x)
    + own_product(values.high.y, high.y, in_high.y)
    + own_product(values.high.z, high.z, in_high.z)
    + own_product(values.high.w, high.w, in_high.w);
}
