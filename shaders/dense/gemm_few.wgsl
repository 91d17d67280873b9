// dense/gemm_few: Y = X W^T for a few tokens: four rows of W and up to eight tokens per workgroup, whose lanes share out k.
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
// Groups of eight columns that a lane takes one after the other: ceil(stride / 8 / LANES).
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
