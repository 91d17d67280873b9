// dense/quantise: activations as signed bytes with one scale per row, four to a word.
// Source: SlideSparse paper, algorithm 1 without lifting. Differs: one scale for both directions; exact integers on every device.
// Lanes: any; subgroups are not used.
// Dispatch: x = tokens, folded into y above 65535.  Needs: nothing.  Workgroup memory: 1 KiB and 1 B per column.

// include common/quantised_row.wgsl: params, y, WORKGROUP_SIZE, quantise_row, bytes_at
// include common/workgroup_index.wgsl: workgroup_index

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) num_workgroups: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let token = workgroup_index(workgroup_id, num_workgroups);
  if (token >= params.tokens) {
    return;
  }
  quantise_row(token, local_index);
  for (var word = local_index; word < params.words; word += WORKGROUP_SIZE) {
    y[token * params.words + word] = bytes_at(word);
  }
}
