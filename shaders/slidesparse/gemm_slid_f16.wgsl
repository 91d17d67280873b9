// slidesparse/gemm_slid_f16: Y = X W^T with slid weights in f16, sums in f32: two products per window instead of four.
// Source: SlideSparse paper, section 4, without sparse tensor cores. Differs: activations are lifted while they are staged.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / 64), y = ceil(tokens / 64).  Needs: nothing.  Workgroup memory: 10.4 KiB.

// The two kept values of a window each, the first in the lower half.
@group(0) @binding(2) var<storage, read> weights: array<u32>;
// Eight windows each, low nibble first; a row begins on a word.
@group(0) @binding(4) var<storage, read> metadata: array<u32>;

// N - 1 windows to a group of 2 N columns.
override WINDOWS_PER_GROUP: u32 = 3u;

// Windows that are staged at a time: one word of metadata.
const DEPTH = 8u;

var<workgroup> row_values: array<u32, DEPTH * PITCH>;
var<workgroup> row_nibbles: array<u32, PITCH>;

// What one row adds for four tokens. A kept slot without a non-zero holds 0, which must not meet an infinity.
fn window_sums(window: u32, line: u32, token: u32) -> vec4<f32> {
  let kept = unpack2x16float(row_values[window * PITCH + line]);
  let nibble = row_nibbles[line] >> (4u * window);
  let first = kept.x * tokens_at(4u * window + (nibble & 3u), token);
  let second = kept.y * tokens_at(4u * window + ((nibble >> 2u) & 3u), token);
  return select(first, vec4(0.0), kept.x == 0.0) + select(second, vec4(0.0), kept.y == 0.0);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let tile_row = workgroup_id.x * TILE;
  let tile_token = workgroup_id.y * TILE;
  let row = 4u * (local_index % 16u);
  let token = 4u * (local_index / 16u);
  var sums0 = vec4<f32>();
  var sums1 = vec4<f32>();
  var sums2 = vec4<f32>();
  var sums3 = vec4<f32>();
  for (var start = 0u; start < params.stride; start += DEPTH) {
    for (var i = local_index; i < TILE * 4u * DEPTH; i += 256u) {
      let at = i % (4u * DEPTH);
      let window = start + at / 4u;
      // In columns: 2 N to a group, and two from a window to the next.
      let column = 2u * (window + window / WINDOWS_PER_GROUP) + at % 4u;
      stage_token(at, tile_token + i / (4u * DEPTH), i / (4u * DEPTH), column);
    }
    for (var i = local_index; i < TILE * DEPTH; i += 256u) {
      let line = i / DEPTH;
      var pair = 0u;
      if (tile_row + line < params.rows) {
        pair = weights[(tile_row + line) * params.stride + start + i % DEPTH];
      }
      row_values[(i % DEPTH) * PITCH + line] = pair;
    }
    if (local_index < TILE && tile_row + local_index < params.rows) {
      row_nibbles[local_index] = metadata[((tile_row + local_index) * params.stride + start) / 8u];
    }
    workgroupBarrier();
    for (var window = 0u; window < DEPTH; window++) {
      sums0 += window_sums(window, row, token);
      sums1 += window_sums(window, row + 1u, token);
      sums2 += window_sums(window, row + 2u, token);
      sums3 += window_sums(window, row + 3u, token);
    }
    workgroupBarrier();
  }
  store_sums(tile_token + token, tile_row + row, sums0);
  store_sums(tile_token + token, tile_row + row + 1u, sums1);
  store_sums(tile_token + token, tile_row + row + 2u, sums2);
  store_sums(tile_token + token, tile_row + row + 3u, sums3);
}
