// dense/gemm_few_wide: Y = X W^T for a few tokens: eight rows of W and up to 32 tokens per workgroup. A block of 32 lanes
// shares out tokens as well as k, so that each word of W comes once for all of them and the sums of a lane stay few.
// Source: GEMV as in every BLAS, for several vectors at a time. Differs: lanes with different tokens read the same weights.
// Lanes: any power-of-two subgroup size; the result does not depend on it up to rounding.
// Dispatch: x = ceil(rows / 8), y = ceil(tokens / (TOKENS * TOKEN_LANES)).  Needs: subgroups.
// Workgroup memory: 128 B * LANES / CLUSTER.
enable subgroups;

// include common/gemm_sizes.wgsl: params
// include common/weights.wgsl#f16 or #f32 or #i8 or #i4: load_weights
// include common/tokens.wgsl#fours or #ones: load_four
// include common/row_scale.wgsl#none or #at_4: row_scale
// include dense/four_rows.wgsl: Rows, add_rows
// include common/sums_by_halves.wgsl: LANES, CLUSTER, SUMS, cluster_sums, place_sums

// Tokens of a lane, 1 to 4.
override TOKENS: u32 = 4u;
// Groups of lanes of a block with different tokens: 1, 2, 4 or 8.
override TOKEN_LANES: u32 = 1u;

const ROWS = 8u;
// Lanes that share out tokens and k, whatever the size of a subgroup.
const BLOCK = 32u;

// One per token and row.
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

// Four rows at four columns.
fn load_rows(starts: vec4<u32>, four: u32) -> Rows {
  return Rows(
    load_weights(starts.x + four),
    load_weights(starts.y + four),
    load_weights(starts.z + four),
    load_weights(starts.w + four),
  );
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let row = ROWS * workgroup_id.x;
  let first_token = TOKENS * TOKEN_LANES * workgroup_id.y;
  if (row >= params.rows || first_token >= params.tokens) {
    return;
  }
  let k_lanes = BLOCK / TOKEN_LANES;
  let token = first_token + TOKENS * (lane % BLOCK / k_lanes);
  let k_lane = lane / BLOCK * k_lanes + lane % k_lanes;
  // Past the last row or token, the last one is read again.
  let fours = params.stride / 4u;
  let upper = min(vec4(row) + vec4(0u, 1u, 2u, 3u), vec4(params.rows - 1u)) * fours;
  let lower = min(vec4(row) + vec4(4u, 5u, 6u, 7u), vec4(params.rows - 1u)) * fours;
  let last = params.tokens - 1u;
  var a0 = vec4(0.0);
  var a1 = vec4(0.0);
  var a2 = vec4(0.0);
  var a3 = vec4(0.0);
  var b0 = vec4(0.0);
  var b1 = vec4(0.0);
  var b2 = vec4(0.0);
  var b3 = vec4(0.0);
  let used = (params.cols + 3u) / 4u;
  // Two fours at a time, so that their loads are in flight together.
  var four = k_lane;
  for (; four + LANES / TOKEN_LANES < used; four += 2u * (LANES / TOKEN_LANES)) {
    let next = four + LANES / TOKEN_LANES;
    let a = load_rows(upper, four);
    let b = load_rows(lower, four);
    let c = load_rows(upper, next);
    let d = load_rows(lower, next);
    let x0 = load_four(min(token, last), four);
    let y0 = load_four(min(token, last), next);
    a0 = add_rows(c, y0, add_rows(a, x0, a0));
    b0 = add_rows(d, y0, add_rows(b, x0, b0));
    if (TOKENS > 1u) {
      let x1 = load_four(min(token + 1u, last), four);
      let y1 = load_four(min(token + 1u, last), next);
      a1 = add_rows(c, y1, add_rows(a, x1, a1));
      b1 = add_rows(d, y1, add_rows(b, x1, b1));
    }
    if (TOKENS > 2u) {
      let x2 = load_four(min(token + 2u, last), four);
      let y2 = load_four(min(token + 2u, last), next);
      a2 = add_rows(c, y2, add_rows(a, x2, a2));
      b2 = add_rows(d, y2, add_rows(b, x2, b2));
    }
    if (TOKENS > 3u) {
      let x3 = load_four(min(token + 3u, last), four);
      let y3 = load_four(min(token + 3u, last), next);
      a3 = add_rows(c, y3, add_rows(a, x3, a3));
      b3 = add_rows(d, y3, add_rows(b, x3, b3));
    }
  }
  if (four < used) {
    let a = load_rows(upper, four);
    let b = load_rows(lower, four);
    let x0 = load_four(min(token, last), four);
    a0 = add_rows(a, x0, a0);
    b0 = add_rows(b, x0, b0);
    if (TOKENS > 1u) {
      let x1 = load_four(min(token + 1u, last), four);
      a1 = add_rows(a, x1, a1);
      b1 = add_rows(b, x1, b1);
    }
    if (TOKENS > 2u) {
      let x2 = load_four(min(token + 2u, last), four);
      a2 = add_rows(a, x2, a2);
      b2 = add_rows(b, x2, b2);
    }
    if (TOKENS > 3u) {
      let x3 = load_four(min(token + 3u, last), four);
      a3 = add_rows(a, x3, a3);
      b3 = add_rows(b, x3, b3);
    }
  }
  place_sums(lane, a0, b0, a1, b1, a2, b2, a3, b3);
  workgroupBarrier();
  for (var i = lane; i < SUMS * TOKEN_LANES; i += LANES) {
    let group = i / SUMS;
    let sum_of_lane = i % SUMS;
    let at = vec2(first_token + TOKENS * group + sum_of_lane / ROWS, row + sum_of_lane % ROWS);
    if (sum_of_lane / ROWS < TOKENS && at.x < params.tokens && at.y < params.rows) {
      var sum = 0.0;
      for (var block = 0u; block < LANES / BLOCK; block++) {
        let first = (block * BLOCK + group * k_lanes) / CLUSTER;
        for (var c = 0u; c < k_lanes / CLUSTER; c++) {
          sum += cluster_sums[(first + c) * SUMS + sum_of_lane];
        }
      }
      y[at.x * params.rows + at.y] = sum * row_scale(at.y);
    }
  }
}
