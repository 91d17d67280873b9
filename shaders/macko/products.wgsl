// macko/products: eight entries times the x of their columns.
// Gives: group_sum, edge_sum.  Takes: x_at.

// include macko/matrix.wgsl: Eight, Prefix

fn gather(columns: vec4<u32>) -> vec4<f32> {
  // step: gather
  return vec4(x_at(columns.x), x_at(columns.y), x_at(columns.z), x_at(columns.w));
}

// A group whose entries all belong to the row. Entry i stands in column base + prefix of i.
fn group_sum(values: Eight, prefix: Prefix, base: u32) -> f32 {
  return dot(values.low, gather(prefix.low + base)) + dot(values.high, gather(prefix.high + base));
}

// A group that may hold entries of neighbouring rows: their products count as 0, whatever value and x are. Columns
// computed for them may lie outside of x; such a read gives some element of x, as WGSL guarantees, and is dropped.
// `ordinal` counts the group's first entry from the row's first; before the row it wraps around.
fn edge_sum(values: Eight, prefix: Prefix, base: u32, ordinal: u32, count: u32) -> f32 {
  let in_low = vec4(ordinal) + vec4(0u, 1u, 2u, 3u) < vec4(count);
  let in_high = vec4(ordinal) + vec4(4u, 5u, 6u, 7u) < vec4(count);
  // step: product
  let low = select(vec4(0.0), values.low * gather(prefix.low + base), in_low);
  let high = select(vec4(0.0), values.high * gather(prefix.high + base), in_high);
  return dot(low + high, vec4(1.0));
}
