// slidesparse/gemm_i8: Y = X W^T in i8, one lane four tokens and four rows; exact integers, scaled once at the end.
// Source: SlideSparse paper, section 4, without sparse tensor cores. Differs: slid windows become whole words while they
// are staged, so that dense and slid weights share the inner loop.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / 64), y = ceil(tokens / 64).  Needs: nothing.  Workgroup memory: 8.1 KiB.

struct Params {
  tokens: u32,
  cols: u32,
  words: u32, // words of a row of activations
  rows: u32,
  stride: u32, // words, or windows, from one row of weights to the next
}

@group(0) @binding(0) var<uniform> params: Params;

// The words of every token, then the bits of every token's scale.
@group(0) @binding(1) var<storage, read> activations: array<u32>;
// The value of one step of every row of weights.
@group(0) @binding(2) var<storage, read> scales: array<f32>;
// One row of sums per token.
@group(0) @binding(4) var<storage, read_write> y: array<f32>;

// Tokens, and rows of weights, of a workgroup.
const TILE = 64u;
// Words that are staged at a time.
const DEPTH = 16u;
// One more than TILE: neighbouring words of a row then lie in neighbouring banks.
const PITCH = 65u;

var<workgroup> token_words: array<u32, DEPTH * PITCH>;
var<workgroup> row_words: array<u32, DEPTH * PITCH>;

fn dots(token: u32, rows: vec4<u32>) -> vec4<i32> {
  return vec4(
    dot4I8Packed(token, rows.x),
    dot4I8Packed(token, rows.y),
    dot4I8Packed(token, rows.z),
    dot4I8Packed(token, rows.w),
  );
}

fn store_sums(token: u32, first_row: u32, sums: vec4<i32>) {
  if (token >= params.tokens) {
    return;
  }
  let scale = bitcast<f32>(activations[params.tokens * params.words + token]);
  for (var i = 0u; i < 4u; i++) {
    let row = first_row + i;
    if (row < params.rows) {
      y[token * params.rows + row] = f32(sums[i]) * scale * scales[row];
    }
  }
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
  var sums0 = vec4<i32>();
  var sums1 = vec4<i32>();
  var sums2 = vec4<i32>();
  var sums3 = vec4<i32>();
  for (var start = 0u; start < params.words; start += DEPTH) {
    for (var i = local_index; i < TILE * DEPTH; i += 256u) {
      let line = i / DEPTH;
      let depth = i % DEPTH;
      let word = start + depth;
      var token_word = 0u;
      var row_word = 0u;
      if (word < params.words) {
        if (tile_token + line < params.tokens) {
          token_word = activations[(tile_token + line) * params.words + word];
        }
        if (tile_row + line < params.rows) {
          row_word = weight_word(tile_row + line, word);
        }
      }
      token_words[depth * PITCH + line] = token_word;
      row_words[depth * PITCH + line] = row_word;
    }
    workgroupBarrier();
    for (var depth = 0u; depth < DEPTH; depth++) {
      let r = depth * PITCH + row;
      let t = depth * PITCH + token;
      let rows = vec4(row_words[r], row_words[r + 1u], row_words[r + 2u], row_words[r + 3u]);
      sums0 += dots(token_words[t], rows);
      sums1 += dots(token_words[t + 1u], rows);
      sums2 += dots(token_words[t + 2u], rows);
      sums3 += dots(token_words[t + 3u], rows);
    }
    workgroupBarrier();
  }
  store_sums(tile_token + token, tile_row + row, sums0);
  store_sums(tile_token + token + 1u, tile_row + row, sums1);
  store_sums(tile_token + token + 2u, tile_row + row, sums2);
  store_sums(tile_token + token + 3u, tile_row + row, sums3);
}
