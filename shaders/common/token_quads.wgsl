// common/token_quads: products with up to 16 tokens, four by four: what an entry adds to the sums of its row.
// Provides: QUADS, Quads, add_entry, add_eight, add_some.  Requires: params.

// include common/values.wgsl#f16 or #f32 or #i8 or #i4_entries: Eight
// include common/quads.wgsl#f32 or #f16: quad_at

// Fours of tokens, at least 1 and at most 4: ceil(tokens / 4).
override QUADS: u32 = 1u;

// One sum per token.
struct Quads {
  a: vec4<f32>,
  b: vec4<f32>,
  c: vec4<f32>,
  d: vec4<f32>,
}

// One entry of the row.
fn add_entry(sums: ptr<function, Quads>, value: f32, column: u32) {
  (*sums).a = fma(vec4(value), quad_at(column), (*sums).a);
  if (QUADS > 1u) { (*sums).b = fma(vec4(value), quad_at(params.cols + column), (*sums).b); }
  if (QUADS > 2u) { (*sums).c = fma(vec4(value), quad_at(2u * params.cols + column), (*sums).c); }
  if (QUADS > 3u) { (*sums).d = fma(vec4(value), quad_at(3u * params.cols + column), (*sums).d); }
}

// Eight entries of the row, the first four in the columns `low`.
fn add_eight(sums: ptr<function, Quads>, values: Eight, low: vec4<u32>, high: vec4<u32>) {
  add_entry(sums, values.low.x, low.x);
  add_entry(sums, values.low.y, low.y);
  add_entry(sums, values.low.z, low.z);
  add_entry(sums, values.low.w, low.w);
  add_entry(sums, values.high.x, high.x);
  add_entry(sums, values.high.y, high.y);
  add_entry(sums, values.high.z, high.z);
  add_entry(sums, values.high.w, high.w);
}

// Eight entries; entries of neighbouring rows among them add nothing, for any value. `ordinal` counts the
// first of them from the row's first, and wraps around before it.
fn add_some(sums: ptr<function, Quads>, values: Eight, low: vec4<u32>, high: vec4<u32>, ordinal: u32, count: u32) {
  if (ordinal < count) { add_entry(sums, values.low.x, low.x); }
  if (ordinal + 1u < count) { add_entry(sums, values.low.y, low.y); }
  if (ordinal + 2u < count) { add_entry(sums, values.low.z, low.z); }
  if (ordinal + 3u < count) { add_entry(sums, values.low.w, low.w); }
  if (ordinal + 4u < count) { add_entry(sums, values.high.x, high.x); }
  if (ordinal + 5u < count) { add_entry(sums, values.high.y, high.y); }
  if (ordinal + 6u < count) { add_entry(sums, values.high.z, high.z); }
  if (ordinal + 7u < count) { add_entry(sums, values.high.w, high.w); }
}
