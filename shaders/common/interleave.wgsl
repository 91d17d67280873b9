// common/interleave: rearranges activations from token by token to groups of four tokens, the four values of a column next
// to each other, so that a kernel loads them at once for an entry of the matrix.
// Source: ours. Differs: nothing.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(cols / 64), y = ceil(tokens / 4).  Needs: nothing.  Workgroup memory: 0 B.

struct Params {
  rows: u32,
  cols: u32,
  tokens: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// One token after the other.
@group(0) @binding(1) var<storage, read> x: array<f32>;

// x of a token and column; 0 past the last token.
fn x_of(token: u32, column: u32) -> f32 {
  return select(0.0, x[min(token, params.tokens - 1u) * params.cols + column], token < params.tokens);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x >= params.cols) {
    return;
  }
  let token = 4u * id.y;
  let four = vec4(x_of(token, id.x), x_of(token + 1u, id.x), x_of(token + 2u, id.x), x_of(token + 3u, id.x));
  store_quad(id.y * params.cols + id.x, four);
}

// variant f32: stored as f32.

// One element per column with the values of four tokens; all columns of four tokens, then those of the next four.
@group(0) @binding(2) var<storage, read_write> quads: array<vec4<f32>>;

fn store_quad(i: u32, four: vec4<f32>) {
  quads[i] = four;
}

// variant f16: stored as f16, two in a u32, the lower half first.

// One element per column with the values of four tokens; all columns of four tokens, then those of the next four.
@group(0) @binding(2) var<storage, read_write> quads: array<vec2<u32>>;

fn store_quad(i: u32, four: vec4<f32>) {
  quads[i] = vec2(pack2x16float(four.xy), pack2x16float(four.zw));
}
