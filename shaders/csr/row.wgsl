// csr/row: a lane's part of the sum of a row that several lanes share, or of a part of it, eight entries at a time.
// Provides: params, indptr, y, row_part, entries_part.  Requires: x_at.

// include common/values.wgsl#f16 or #f32: load_values
// include common/indices.wgsl#16 or #32: load_indices

struct Params {
  rows: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Entries before row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
// One sum per row.
@group(0) @binding(5) var<storage, read_write> y: array<f32>;

fn gather(columns: vec4<u32>) -> vec4<f32> {
  return vec4(x_at(columns.x), x_at(columns.y), x_at(columns.z), x_at(columns.w));
}

// Products of eight entries; entries of neighbouring rows among them count as 0, for any value.
fn edge(group: u32, begin: u32, end: u32) -> f32 {
  let values = load_values(group);
  let columns = load_indices(group);
  let ordinal = vec4(8u * group - begin); // wraps around before the row, so that one comparison tests both ends
  let low = select(vec4(0.0), values.low * gather(columns.low), ordinal + vec4(0u, 1u, 2u, 3u) < vec4(end - begin));
  let high = select(vec4(0.0), values.high * gather(columns.high), ordinal + vec4(4u, 5u, 6u, 7u) < vec4(end - begin));
  return dot(low + high, vec4(1.0));
}

// This lane's part of a row.
fn row_part(row: u32, lane: u32, lanes: u32) -> f32 {
  return entries_part(indptr[row], indptr[row + 1u], lane, lanes);
}

// This lane's part of entries of one row: every `lanes`-th group of eight, counted from the group with the first entry.
fn entries_part(begin: u32, end: u32, lane: u32, lanes: u32) -> f32 {
  var sum = 0.0;
  var group = begin / 8u + lane;
  if (8u * group < begin) { // the group in which the row starts, shared with the row before
    sum = edge(group, begin, end);
    group += lanes;
  }
  for (; 8u * (group + lanes) + 8u <= end; group += 2u * lanes) { // two groups, so that their loads are in flight together
    let values_a = load_values(group);
    let values_b = load_values(group + lanes);
    let columns_a = load_indices(group);
    let columns_b = load_indices(group + lanes);
    sum += dot(values_a.low, gather(columns_a.low)) + dot(values_a.high, gather(columns_a.high))
      + dot(values_b.low, gather(columns_b.low)) + dot(values_b.high, gather(columns_b.high));
  }
  if (8u * group + 8u <= end) {
    let values = load_values(group);
    let columns = load_indices(group);
    sum += dot(values.low, gather(columns.low)) + dot(values.high, gather(columns.high));
    group += lanes;
  }
  if (8u * group < end) { // the group in which it ends
    sum += edge(group, begin, end);
  }
  return sum;
}
