// common/staged_fours: x of four tokens in workgroup memory as f16, side by side, so that an entry finds all of them with one read;
// in the end the memory holds what shares leave.
// Gives: x_at, copy_x, keep_number, kept_number, store_tokens.  Takes: y, params, SHARE_WORDS.

// include common/equal_shares.wgsl: WORKGROUP_SIZE, SHARES
// include common/own_tokens.wgsl: TOKENS, token_start

// Columns that are copied, at least 1.
override COLS: u32 = 1u;
// Turns of copying x: ceil(COLS / 4 / WORKGROUP_SIZE).
override TURNS: u32 = 1u;

// One token after the other.
@group(0) @binding(4) var<storage, read> x: array<f32>;

// x first, what shares leave in the end.
var<workgroup> staged: array<vec2<u32>, max(COLS, SHARE_WORDS / 2u * SHARES)>;

fn x_at(column: u32) -> vec4<f32> {
  let four = staged[column];
  return vec4(unpack2x16float(four.x), unpack2x16float(four.y));
}

fn keep_number(i: u32, number: f32) {
  staged[i / 2u][i % 2u] = bitcast<u32>(number);
}

fn kept_number(i: u32) -> f32 {
  return bitcast<f32>(staged[i / 2u][i % 2u]);
}

fn four_at(column: u32) -> vec2<u32> {
  let low = vec2(x[token_start(0u) + column], x[token_start(1u) + column]);
  let high = vec2(x[token_start(2u) + column], x[token_start(3u) + column]);
  return vec2(pack2x16float(low), pack2x16float(high));
}

// The columns from `first` on. Called by all lanes of the workgroup, and to be followed by a barrier. What is copied from
// past the last column belongs to no entry.
fn copy_x(local_index: u32, first: u32) {
  // Four copies per turn, so that their loads are under way together; behind the end, the last element again.
  for (var turn = 0u; turn < TURNS; turn++) {
    let a = min(4u * turn * WORKGROUP_SIZE + local_index, COLS - 1u);
    let b = min(a + WORKGROUP_SIZE, COLS - 1u);
    let c = min(b + WORKGROUP_SIZE, COLS - 1u);
    let d = min(c + WORKGROUP_SIZE, COLS - 1u);
    let x_a = four_at(first + a);
    let x_b = four_at(first + b);
    let x_c = four_at(first + c);
    let x_d = four_at(first + d);
    staged[a] = x_a;
    staged[b] = x_b;
    staged[c] = x_c;
    staged[d] = x_d;
  }
}

// The sums of a row, from where that of the first token stands; a row of sums per token.
fn store_tokens(at: u32, sums: vec4<f32>) {
  y[at] = sums.x;
  if (TOKENS > 1u) { y[at + params.rows] = sums.y; }
  if (TOKENS > 2u) { y[at + 2u * params.rows] = sums.z; }
  if (TOKENS > 3u) { y[at + 3u * params.rows] = sums.w; }
}
