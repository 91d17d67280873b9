// language/merge: merges what attention has computed for several spans of positions into the output of each head.

// Columns of a head.
override HEAD_DIM: u32 = 2u;

// variant many: any number of spans.
// Lanes: a power of two, at least COLUMNS; teams of COLUMNS lanes share the spans.
// Dispatch: x = heads of queries, y = tokens.
// Needs: subgroups with reductions#subgroup, nothing with #workgroup.
// Workgroup memory: 8 B per lane, 4 B per span.

// include language/reductions.wgsl#workgroup or #subgroup: WORKGROUP_SIZE, workgroup_total, workgroup_max

// Columns that a team sums up at a time, a power of two.
override COLUMNS: u32 = 2u;
// Heads of queries.
override HEADS: u32 = 1u;
// Positions of a span.
override SPAN: u32 = 512u;
// Spans for which there is space.
override SPANS: u32 = 1u;

// state[0]: position of the first token of this call.
@group(0) @binding(0) var<storage, read> state: array<u32>;
// By token, head and span: its weighted sum of values, the largest score, and the sum of weights.
@group(0) @binding(1) var<storage, read> parts: array<f32>;
// For every head the weighted sum of values.
@group(0) @binding(2) var<storage, read_write> gathered: array<f32>;

// For every span the factor of its sums.
var<workgroup> factors: array<f32, SPANS>;
var<workgroup> team_sums: array<f32, WORKGROUP_SIZE>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let head_of_token = group.y * HEADS + group.x;
  let first = head_of_token * SPANS;
  // Spans of the positions before the token. The token itself belongs to the first, which thus has up to SPAN + 1 scores
  // (attention.wgsl).
  let spans = clamp((state[0] + group.y + SPAN - 1u) / SPAN, 1u, SPANS);
  var lane_largest = -3.0e38;
  for (var span = local_index; span < spans; span += WORKGROUP_SIZE) {
    lane_largest = max(lane_largest, part_at(first + span, HEAD_DIM));
  }
  let largest = workgroup_max(lane_largest, local_index);
  var lane_total = 0.0;
  for (var span = local_index; span < spans; span += WORKGROUP_SIZE) {
    let factor = exp(part_at(first + span, HEAD_DIM) - largest);
    factors[span] = factor;
    lane_total += factor * part_at(first + span, HEAD_DIM + 1u);
  }
  // The barriers of the sum also let every lane see the factors of all.
  let total = workgroup_total(lane_total, local_index);

  let teams = WORKGROUP_SIZE / COLUMNS;
  for (var begin = 0u; begin < HEAD_DIM; begin += COLUMNS) {
    let column = begin + local_index % COLUMNS;
    var sum = 0.0;
    // Four loads in flight at a time.
    for (var span = local_index / COLUMNS; span < spans; span += 4u * teams) {
      sum += weighted_part(first, span, spans, column) + weighted_part(first, span + teams, spans, column) +
        weighted_part(first, span + 2u * teams, spans, column) + weighted_part(first, span + 3u * teams, spans, column);
    }
    team_sums[local_index] = sum;
    workgroupBarrier();
    if (local_index < COLUMNS && column < HEAD_DIM) {
      for (var team = 1u; team < teams; team++) {
        sum += team_sums[team * COLUMNS + local_index];
      }
      gathered[head_of_token * HEAD_DIM + column] = sum / total;
    }
    workgroupBarrier(); // the next columns write again
  }
}

fn part_at(span: u32, number: u32) -> f32 {
  return parts[span * (HEAD_DIM + 2u) + number];
}

// The part of a span in a column times its factor; 0 past the last span, for any data there.
fn weighted_part(first: u32, span: u32, spans: u32, column: u32) -> f32 {
  let at = min(span, spans - 1u);
  return select(0.0, factors[at] * part_at(first + at, min(column, HEAD_DIM - 1u)), span < spans);
}

// variant four: four spans of one token; some may be empty. A lane computes a column, and the factors for itself, so
// that no lane waits for another.
// Lanes: any.  Dispatch: x = heads of queries.  Needs: nothing.  Workgroup memory: 0 B.

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;

// By head and span: its weighted sum of values, the largest score, and the sum of weights.
@group(0) @binding(0) var<storage, read> parts: array<f32>;
// For every head the weighted sum of values.
@group(0) @binding(1) var<storage, read_write> gathered: array<f32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  for (var column = local_index; column < HEAD_DIM; column += WORKGROUP_SIZE) {
    let scores = four_parts(group.x, HEAD_DIM);
    let totals = four_parts(group.x, HEAD_DIM + 1u);
    let sums = four_parts(group.x, column);
    let largest = max(max(scores.x, scores.y), max(scores.z, scores.w));
    let factors = exp(scores - largest);
    gathered[group.x * HEAD_DIM + column] = dot(factors, sums) / dot(factors, totals);
  }
}

// One number of each of the four spans.
fn four_parts(head: u32, number: u32) -> vec4<f32> {
  let stride = HEAD_DIM + 2u;
  let at = 4u * head * stride + number;
  return vec4(parts[at], parts[at + stride], parts[at + 2u * stride], parts[at + 3u * stride]);
}
