// dense/gemm_few: Y = X W^T for a few tokens.

// variant four_rows: four rows of W and up to eight tokens per workgroup, whose lanes share out k.
// Source: GEMV as in every BLAS, for several vectors at a time. Differs: sums of lanes meet by halves: with every exchange
// a lane keeps half of the sums, so that 32 of them take 31 exchanges instead of 160.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / 4), y = ceil(tokens / TOKENS).  Needs: subgroups.  Workgroup memory: 128 B * LANES / CLUSTER.
enable subgroups;

// include common/gemm_sizes.wgsl: params
// include common/values.wgsl#f16 or #f32 or #i8 or #i4: Eight, load_values
// include dense/tokens.wgsl#eights or #ones or #halves or #halves_ones: Columns, load_columns
// include common/row_scale.wgsl#none or #at_4: row_scale
// include common/sums_by_halves.wgsl: LANES, CLUSTER, SUMS, cluster_sums, place_sums

// Tokens of a workgroup, 1 to 8.
override TOKENS: u32 = 8u;
// Groups of eight columns that a lane multiplies one after the other: ceil(stride / 8 / LANES).
override STEPS: u32 = 1u;

const ROWS = 4u;

// One per token and row.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

// Eight columns of the four rows.
struct Rows {
  a: Eight,
  b: Eight,
  c: Eight,
  d: Eight,
}

fn products(rows: Rows, x: Columns) -> vec4<f32> {
  return vec4(
    dot(rows.a.low, x.low) + dot(rows.a.high, x.high),
    dot(rows.b.low, x.low) + dot(rows.b.high, x.high),
    dot(rows.c.low, x.low) + dot(rows.c.high, x.high),
    dot(rows.d.low, x.low) + dot(rows.d.high, x.high),
  );
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = ROWS * workgroup_id.x;
  let token = TOKENS * workgroup_id.y;
  if (row >= params.rows || token >= params.tokens) {
    return;
  }
  // Past the last row or token, the last one is read again.
  let groups = params.stride / 8u;
  let starts = min(vec4(row) + vec4(0u, 1u, 2u, 3u), vec4(params.rows - 1u)) * groups;
  let last = params.tokens - 1u;
  // Not arrays: an index that is not a constant would send the sums to memory.
  var t0 = vec4(0.0);
  var t1 = vec4(0.0);
  var t2 = vec4(0.0);
  var t3 = vec4(0.0);
  var t4 = vec4(0.0);
  var t5 = vec4(0.0);
  var t6 = vec4(0.0);
  var t7 = vec4(0.0);
  for (var step = 0u; step < STEPS; step++) {
    let group = step * LANES + lane;
    if (group < groups) {
      let rows = Rows(
        load_values(starts.x + group),
        load_values(starts.y + group),
        load_values(starts.z + group),
        load_values(starts.w + group),
      );
      t0 += products(rows, load_columns(token, group));
      if (TOKENS > 1u) { t1 += products(rows, load_columns(min(token + 1u, last), group)); }
      if (TOKENS > 2u) { t2 += products(rows, load_columns(min(token + 2u, last), group)); }
      if (TOKENS > 3u) { t3 += products(rows, load_columns(min(token + 3u, last), group)); }
      if (TOKENS > 4u) { t4 += products(rows, load_columns(min(token + 4u, last), group)); }
      if (TOKENS > 5u) { t5 += products(rows, load_columns(min(token + 5u, last), group)); }
      if (TOKENS > 6u) { t6 += products(rows, load_columns(min(token + 6u, last), group)); }
      if (TOKENS > 7u) { t7 += products(rows, load_columns(min(token + 7u, last), group)); }
    }
  }
  place_sums(lane, t0, t1, t2, t3, t4, t5, t6, t7);
  workgroupBarrier();
  let own = vec2(token + lane / ROWS, row + lane % ROWS);
  if (lane < ROWS * TOKENS && own.x < params.tokens && own.y < params.rows) {
    var sum = 0.0;
    for (var i = 0u; i < LANES / CLUSTER; i++) {
      sum += cluster_sums[i * SUMS + lane];
    }
    y[own.x * params.rows + own.y] = sum * row_scale(own.y);
  }
}

// variant ahead: eight rows of W and up to eight tokens per workgroup, whose lanes share
// out k. Weights are loaded while those before them are multiplied.
// Source: GEMV as in every BLAS, for several vectors at a time. Differs: a lane has eight by eight sums, so that an x read
// serves eight rows.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(tokens / TOKENS), y = ceil(rows / 8).  Needs: subgroups.  Workgroup memory: 128 B * LANES / CLUSTER.
// Provides: COLS.
enable subgroups;

// include common/gemm_sizes.wgsl: params
// include common/weights.wgsl#f16 or #f32 or #i8 or #i4: Packed, load_packed, unpacked
// include common/tokens.wgsl#known or #ones: load_four
// include common/row_scale.wgsl#none or #at_4: row_scale
// include dense/four_rows.wgsl: Rows, add_rows
// include common/sums_by_halves.wgsl: LANES, CLUSTER, SUMS, cluster_sums, place_sums

// Tokens of a workgroup, 1 to 8. They may be more than there are, whose sums are not stored.
override TOKENS: u32 = 8u;
// Columns; not a size of the buffer, since positions that are constants need no registers.
override COLS: u32 = 8u;
// Elements from one row of W to the next.
override STRIDE: u32 = 8u;
// Steps in which every lane has four columns, all of them there: floor(COLS / 4 / LANES).
override FULL_STEPS: u32 = 0u;
// 1: neighbouring workgroups begin at different columns, so that they do not all want the same parts of memory.
override APART: u32 = 0u;

const ROWS = 8u;
// Lanes that have a piece of k together, for any size of a subgroup.
const BLOCK = 32u;

// One per token and row.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

// Four rows at four columns, as stored.
struct PackedRows {
  a: Packed,
  b: Packed,
  c: Packed,
  d: Packed,
}

// Rows past the last one are some elements of W, whose sums are not stored.
fn load_packed_rows(start: u32, four: u32) -> PackedRows {
  return PackedRows(
    load_packed(start + four),
    load_packed(start + STRIDE / 4u + four),
    load_packed(start + 2u * (STRIDE / 4u) + four),
    load_packed(start + 3u * (STRIDE / 4u) + four),
  );
}

fn unpacked_rows(rows: PackedRows) -> Rows {
  return Rows(unpacked(rows.a), unpacked(rows.b), unpacked(rows.c), unpacked(rows.d));
}

// Sums of the upper four rows, a0 to a7, and of the lower four. Not arrays: an index that is not a constant would send
// them to memory.
struct Sums {
  a0: vec4<f32>,
  a1: vec4<f32>,
  a2: vec4<f32>,
  a3: vec4<f32>,
  a4: vec4<f32>,
  a5: vec4<f32>,
  a6: vec4<f32>,
  a7: vec4<f32>,
  b0: vec4<f32>,
  b1: vec4<f32>,
  b2: vec4<f32>,
  b3: vec4<f32>,
  b4: vec4<f32>,
  b5: vec4<f32>,
  b6: vec4<f32>,
  b7: vec4<f32>,
}

// Adds the products of eight rows with all tokens at four columns. Tokens past the last one are some elements of x, whose sums
// are not stored.
fn add_products(sums: ptr<function, Sums>, upper: PackedRows, lower: PackedRows, token: u32, four: u32) {
  let a = unpacked_rows(upper);
  let b = unpacked_rows(lower);
  let x0 = load_four(token, four);
  (*sums).a0 = add_rows(a, x0, (*sums).a0);
  (*sums).b0 = add_rows(b, x0, (*sums).b0);
  if (TOKENS > 1u) {
    let x1 = load_four(token + 1u, four);
    (*sums).a1 = add_rows(a, x1, (*sums).a1);
    (*sums).b1 = add_rows(b, x1, (*sums).b1);
  }
  if (TOKENS > 2u) {
    let x2 = load_four(token + 2u, four);
    (*sums).a2 = add_rows(a, x2, (*sums).a2);
    (*sums).b2 = add_rows(b, x2, (*sums).b2);
  }
  if (TOKENS > 3u) {
    let x3 = load_four(token + 3u, four);
    (*sums).a3 = add_rows(a, x3, (*sums).a3);
    (*sums).b3 = add_rows(b, x3, (*sums).b3);
  }
  if (TOKENS > 4u) {
    let x4 = load_four(token + 4u, four);
    (*sums).a4 = add_rows(a, x4, (*sums).a4);
    (*sums).b4 = add_rows(b, x4, (*sums).b4);
  }
  if (TOKENS > 5u) {
    let x5 = load_four(token + 5u, four);
    (*sums).a5 = add_rows(a, x5, (*sums).a5);
    (*sums).b5 = add_rows(b, x5, (*sums).b5);
  }
  if (TOKENS > 6u) {
    let x6 = load_four(token + 6u, four);
    (*sums).a6 = add_rows(a, x6, (*sums).a6);
    (*sums).b6 = add_rows(b, x6, (*sums).b6);
  }
  if (TOKENS > 7u) {
    let x7 = load_four(token + 7u, four);
    (*sums).a7 = add_rows(a, x7, (*sums).a7);
    (*sums).b7 = add_rows(b, x7, (*sums).b7);
  }
}

// Adds up the sums that place_sums has stored, and writes those of four rows from `row` on to y. Called by all lanes.
fn store_four_rows(lane: u32, token: u32, row: u32) {
  let own = vec2(token + lane / 4u, row + lane % 4u);
  if (lane < 4u * TOKENS && own.x < params.tokens && own.y < params.rows) {
    var sum = 0.0;
    for (var i = 0u; i < LANES / CLUSTER; i++) {
      sum += cluster_sums[i * SUMS + lane];
    }
    y[own.x * params.rows + own.y] = sum * row_scale(own.y);
  }
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  // Neighbours share the weights.
  let row = ROWS * workgroup_id.y;
  let token = TOKENS * workgroup_id.x;
  if (row >= params.rows || token >= params.tokens) {
    return;
  }
  let upper = row * (STRIDE / 4u);
  let lower = upper + STRIDE;
  var sums = Sums();
  if (FULL_STEPS > 0u) {
    let begin = lane / BLOCK * (BLOCK * FULL_STEPS) + lane % BLOCK;
    let first_step = select(0u, workgroup_id.y, APART == 1u);
    var four = begin + BLOCK * (first_step % max(FULL_STEPS, 1u));
    var upper_ahead = load_packed_rows(upper, four);
    var lower_ahead = load_packed_rows(lower, four);
    for (var step = 0u; step < FULL_STEPS; step++) {
      let upper_now = upper_ahead;
      let lower_now = lower_ahead;
      let now = four;
      // The next one; past the last, the last again.
      four = begin + BLOCK * ((min(step + 1u, FULL_STEPS - 1u) + first_step) % max(FULL_STEPS, 1u));
      upper_ahead = load_packed_rows(upper, four);
      lower_ahead = load_packed_rows(lower, four);
      add_products(&sums, upper_now, lower_now, token, now);
    }
  }
  let rest = FULL_STEPS * LANES + lane;
  if (4u * FULL_STEPS * LANES < COLS && 4u * rest < COLS) {
    add_products(&sums, load_packed_rows(upper, rest), load_packed_rows(lower, rest), token, rest);
  }
  place_sums(lane, sums.a0, sums.a1, sums.a2, sums.a3, sums.a4, sums.a5, sums.a6, sums.a7);
  workgroupBarrier();
  store_four_rows(lane, token, row);
  workgroupBarrier(); // the next sums overwrite these
  place_sums(lane, sums.b0, sums.b1, sums.b2, sums.b3, sums.b4, sums.b5, sums.b6, sums.b7);
  workgroupBarrier();
  store_four_rows(lane, token, row + 4u);
}
