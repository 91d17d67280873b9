// macko/token_products: eight entries times the x of their columns, of several tokens at a time.
// Gives: group_sum, edge_sum.  Takes: Sum.

// include macko/matrix.wgsl: Eight, Prefix
// include common/token_products.wgsl: eight_sum, some_sum

// A group whose entries all belong to the row. Entry i stands in column base + prefix of i.
fn group_sum(values: Eight, prefix: Prefix, base: u32) -> Sum {
  return eight_sum(values, prefix.low + base, prefix.high + base);
}

// A group that may hold entries of neighbouring rows; `ordinal` counts its first entry from the row's first.
fn edge_sum(values: Eight, prefix: Prefix, base: u32, ordinal: u32, count: u32) -> Sum {
  return some_sum(values, prefix.low + base, prefix.high + base, ordinal, count);
}
