// language/normalise: RMSNorm. Sets the stream of a token to the values of next_value, and copies it with a root mean square of
// 1, times weights.
// Provides: HIDDEN, EPS, normalise.
// Requires: stream, normed, norm_weights, next_value.

// include language/reductions.wgsl#workgroup or #subgroup: WORKGROUP_SIZE, workgroup_total

// Columns of the stream.
override HIDDEN: u32 = 1u;
// Added to the mean of squares.
override EPS: f32 = 0.00001;

// Columns of a lane that stay in registers: their loads are in flight at once, and nothing is read twice.
const IN_REGISTERS = 4u;

// Normalises one token. All lanes of the workgroup must call it, since it contains barriers.
fn normalise(token: u32, local_index: u32) {
  var column_values: array<f32, IN_REGISTERS>;
  var squares = 0.0;
  for (var i = 0u; i < IN_REGISTERS; i++) {
    let column = i * WORKGROUP_SIZE + local_index;
    if (column < HIDDEN) {
      column_values[i] = next_value(token, column);
      squares += column_values[i] * column_values[i];
    }
  }
  for (var column = IN_REGISTERS * WORKGROUP_SIZE + local_index; column < HIDDEN; column += WORKGROUP_SIZE) {
    let value = next_value(token, column);
    stream[token * HIDDEN + column] = value;
    squares += value * value;
  }
  let scale = inverseSqrt(workgroup_total(squares, local_index) / f32(HIDDEN) + EPS);
  for (var i = 0u; i < IN_REGISTERS; i++) {
    let column = i * WORKGROUP_SIZE + local_index;
    if (column < HIDDEN) {
      let at = token * HIDDEN + column;
      stream[at] = column_values[i];
      normed[at] = norm_weights[column] * (column_values[i] * scale);
    }
  }
  // Every lane reads only elements that it has written itself, so no barrier is needed.
  for (var column = IN_REGISTERS * WORKGROUP_SIZE + local_index; column < HIDDEN; column += WORKGROUP_SIZE) {
    let at = token * HIDDEN + column;
    normed[at] = norm_weights[column] * (stream[at] * scale);
  }
}
