// language/act: the hidden row of a feed-forward block: its up projection times its activated gate.
// Lanes: any; each has one column.
// Dispatch: x = ceil(COLS / WORKGROUP_SIZE), y = tokens.  Needs: subgroups, or nothing with its other choice.
// Workgroup memory: 0 B; with a late scale 4 B per lane.

// include language/reductions.wgsl#workgroup or #subgroup: WORKGROUP_SIZE
// include language/late_scale.wgsl#none or #at_3: late_scale, load_stream, find_late_scale

// Columns of a hidden row.
override COLS: u32 = 1u;
// Where the outputs of up begin; the outputs of gate are first.
override UP_AT: u32 = 0u;
// Elements from the gates of one token to the gates of the next.
override GATE_STRIDE: u32 = 1u;
// Elements from the outputs of up of one token to the next token's.
override UP_STRIDE: u32 = 1u;
// The activation of a gate g. 1: ReLU, max(g, 0). 0: SiLU, g / (1 + exp(-g)).
override RELU: u32 = 0u;
// Whether there are biases.
override BIASED: u32 = 0u;

// Gates and outputs of up of the tokens, as matrices wrote them.
@group(0) @binding(0) var<storage, read> projected: array<f32>;
// The biases of gate, then the biases of up; unused without biases.
@group(0) @binding(1) var<storage, read> biases: array<f32>;
// The hidden rows.
@group(0) @binding(2) var<storage, read_write> hidden: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let column = group.x * WORKGROUP_SIZE + local_index;
  let token = group.y;
  // These loads overlap. Lanes past the last column read the last one, and drop it.
  let loaded = load_stream(local_index);
  let gate_written = projected[token * GATE_STRIDE + min(column, COLS - 1u)];
  let up_written = projected[UP_AT + token * UP_STRIDE + min(column, COLS - 1u)];
  find_late_scale(loaded, local_index);
  if (column >= COLS) {
    return;
  }
  var gate = late_scale * gate_written;
  var up = late_scale * up_written;
  if (BIASED != 0u) {
    gate += biases[column];
    up += biases[COLS + column];
  }
  if (RELU != 0u) {
    gate = max(gate, 0.0);
  } else {
    // Below -80 it is nearly 0, and beyond 88 exp would leave the range of numbers.
    gate = gate / (1.0 + exp(-max(gate, -80.0)));
  }
  hidden[token * COLS + column] = gate * up;
}
