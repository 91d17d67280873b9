// dense/gemm_few: Y = X W^T for a few tokens: four rows of W and up to eight tokens per workgroup, whose lanes share out k.
// Source: GEMV as in every BLAS, for several vectors at a time. Differs: sums of lanes meet by halves: with every exchange
// a lane keeps half of the sums, so that 32 of them take 31 exchanges instead of 160.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / 4), y = ceil(tokens / TOKENS).  Needs: subgroups.  Workgroup memory: 128 B * LANES / CLUSTER.
enable subgroups;

// include common/gemm_sizes.wgsl: params
// include common/values_f16.wgsl or common/values_f32.wgsl or common/values_i8.wgsl: Eight, load_values
// include dense/tokens_eights.wgsl or dense/tokens_ones.wgsl: Columns, load_columns
// include common/unscaled.wgsl or dense/row_scales.wgsl: row_scale

// Tokens of a workgroup, 1 to 8.
override TOKENS: u32 = 8u;
// Lanes of a workgroup, a power of two, at least 32.
override LANES: u32 = 64u;
// Neighbouring lanes that are in one subgroup whatever its size, a power of two up to 32.
override CLUSTER: u32 = 1u;
// Groups of eight columns that a lane takes one after the other: ceil(stride / 8 / LANES).
override STEPS: u32 = 1u;

const ROWS = 4u;
// Sums of a workgroup, of tokens that it does not have among them.
const SUMS = 32u;

// One per token and row.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

var<workgroup> cluster_sums: array<f32, LANES / CLUSTER * SUMS>;

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

// Of two sums the one that this lane keeps, with the part of the lane that keeps the other.
fn keep(low: vec4<f32>, high: vec4<f32>, keeps_high: bool, distance: u32) -> vec4<f32> {
  return select(low, high, keeps_high) + subgroupShuffleXor(select(high, low, keeps_high), distance);
}

fn place_four(at: u32, sums: vec4<f32>) {
  cluster_sums[at] = sums.x;
  cluster_sums[at + 1u] = sums.y;
  cluster_sums[at + 2u] = sums.z;
  cluster_sums[at + 3u] = sums.w;
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = ROWS * workgroup_id.x;
  let token = TOKENS * workgroup_id.y;
  if (row >= params.rows || token >= params.tokens) {
    return;
  }
  // The last row and the last token take the places of those that do not exist.
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
  // Token i's sums are numbers 4 i to 4 i + 3; `first` is the first number that this lane has kept.
  var first = 0u;
  if (CLUSTER > 1u) {
    let high = (lane & (CLUSTER / 2u)) != 0u;
    t0 = keep(t0, t4, high, CLUSTER / 2u);
    t1 = keep(t1, t5, high, CLUSTER / 2u);
    t2 = keep(t2, t6, high, CLUSTER / 2u);
    t3 = keep(t3, t7, high, CLUSTER / 2u);
    first += select(0u, 16u, high);
  }
  if (CLUSTER > 2u) {
    let high = (lane & (CLUSTER / 4u)) != 0u;
    t0 = keep(t0, t2, high, CLUSTER / 4u);
    t1 = keep(t1, t3, high, CLUSTER / 4u);
    first += select(0u, 8u, high);
  }
  if (CLUSTER > 4u) {
    let high = (lane & (CLUSTER / 8u)) != 0u;
    t0 = keep(t0, t1, high, CLUSTER / 8u);
    first += select(0u, 4u, high);
  }
  if (CLUSTER > 8u) {
    let high = (lane & (CLUSTER / 16u)) != 0u;
    let pair = select(t0.xy, t0.zw, high) + subgroupShuffleXor(select(t0.zw, t0.xy, high), CLUSTER / 16u);
    t0 = vec4(pair, 0.0, 0.0);
    first += select(0u, 2u, high);
  }
  if (CLUSTER > 16u) {
    let high = (lane & (CLUSTER / 32u)) != 0u;
    t0.x = select(t0.x, t0.y, high) + subgroupShuffleXor(select(t0.y, t0.x, high), CLUSTER / 32u);
    first += select(0u, 1u, high);
  }
  let at = lane / CLUSTER * SUMS + first;
  cluster_sums[at] = t0.x;
  if (CLUSTER < 32u) { cluster_sums[at + 1u] = t0.y; }
  if (CLUSTER < 16u) {
    cluster_sums[at + 2u] = t0.z;
    cluster_sums[at + 3u] = t0.w;
  }
  if (CLUSTER < 8u) { place_four(at + 4u, t1); }
  if (CLUSTER < 4u) {
    place_four(at + 8u, t2);
    place_four(at + 12u, t3);
  }
  if (CLUSTER < 2u) {
    place_four(at + 16u, t4);
    place_four(at + 20u, t5);
    place_four(at + 24u, t6);
    place_four(at + 28u, t7);
  }
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
