// slidesparse/gemm_dense_f16: Y = X W^T with dense weights in f16, sums in f32: the baseline of the slid product.
// Source: GEMM as in every BLAS. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / 64), y = ceil(tokens / 64).  Needs: nothing.  Workgroup memory: 12.2 KiB.

// Two columns of a row each, the first in the lower half; 0 behind the last column.
@group(0) @binding(2) var<storage, read> weights: array<u32>;

// Columns that are staged at a time.
const DEPTH = 32u;

var<workgroup> row_words: array<u32, 16u * PITCH>;

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
  for (var start = 0u; start < params.cols; start += DEPTH) {
    for (var i = local_index; i < TILE * DEPTH; i += 256u) {
      stage_token(i % DEPTH, tile_token + i / DEPTH, i / DEPTH, start + i % DEPTH);
    }
    for (var i = local_index; i < TILE * 16u; i += 256u) {
      let line = i / 16u;
      let word = start / 2u + i % 16u;
      var pair = 0u;
      if (tile_row + line < params.rows && word < params.stride) {
        pair = weights[(tile_row + line) * params.stride + word];
      }
      row_words[(i % 16u) * PITCH + line] = pair;
    }
    workgroupBarrier();
    for (var pair = 0u; pair < 16u; pair++) {
      let first = tokens_at(2u * pair, token);
      let second = tokens_at(2u * pair + 1u, token);
      let r = pair * PITCH + row;
      let w0 = unpack2x16float(row_words[r]);
      let w1 = unpack2x16float(row_words[r + 1u]);
      let w2 = unpack2x16float(row_words[r + 2u]);
      let w3 = unpack2x16float(row_words[r + 3u]);
      sums0 += w0.x * first + w0.y * second;
      sums1 += w1.x * first + w1.y * second;
      sums2 += w2.x * first + w2.y * second;
      sums3 += w3.x * first + w3.y * second;
    }
    workgroupBarrier();
  }
  store_sums(tile_token + token, tile_row + row, sums0);
  store_sums(tile_token + token, tile_row + row + 1u, sums1);
  store_sums(tile_token + token, tile_row + row + 2u, sums2);
  store_sums(tile_token + token, tile_row + row + 3u, sums3);
}
