// bitmask/products: a value times the x of its column, of one or several tokens.
// Gives: add_value.  Takes: x_at, Sum.

fn add_value(sum: ptr<function, Sum>, value: f32, column: u32) {
  *sum = fma(Sum(value), x_at(column), *sum);
}
