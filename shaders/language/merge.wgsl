// language/merge: what a head has gathered in several spans of positions becomes one.
// Lanes: any; each has columns of a head.
// Dispatch: x = heads of queries, y = tokens.  Needs: nothing.  Workgroup memory: 0 B.

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;
// Columns of a head.
override HEAD_DIM: u32 = 2u;
// Heads of queries.
override HEADS: u32 = 1u;
// Positions of a span.
override SPAN: u32 = 512u;
// Spans that there is room for.
override SPANS: u32 = 1u;

// The first is the position of token 0.
@group(0) @binding(0) var<storage, read> state: array<u32>;
// By token, head and span: what it gathered, the largest score, and the sum of weights.
@group(0) @binding(1) var<storage, read> parts: array<f32>;
// What every head has gathered.
@group(0) @binding(2) var<storage, read_write> gathered: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let head_of_token = group.y * HEADS + group.x;
  let first = head_of_token * SPANS * (HEAD_DIM + 2u);
  let spans = max(1u, (state[0] + group.y + SPAN - 1u) / SPAN);
  var largest = parts[first + HEAD_DIM];
  for (var span = 1u; span < spans; span++) {
    largest = max(largest, parts[first + span * (HEAD_DIM + 2u) + HEAD_DIM]);
  }
  for (var column = local_index; column < HEAD_DIM; column += WORKGROUP_SIZE) {
    var sum = 0.0;
    var total = 0.0;
    for (var span = 0u; span < spans; span++) {
      let at = first + span * (HEAD_DIM + 2u);
      let factor = exp(parts[at + HEAD_DIM] - largest);
      sum += factor * parts[at + column];
      total += factor * parts[at + HEAD_DIM + 1u];
    }
    gathered[head_of_token * HEAD_DIM + column] = sum / total;
  }
}
