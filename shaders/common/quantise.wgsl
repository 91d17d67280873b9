// common/quantise: quantises activations to signed bytes with one scale per row (token), four in a word; a workgroup per token.
// Source: SlideSparse paper, algorithm 1 without lifting: the first pass of the method in section 4 that has two passes.
// Differs: values are multiplied by the inverse of the stored scale, so that one scale serves both directions; the
// integers are exact on every device.
// Lanes: any; subgroups are not used.
// Dispatch: x = tokens, folded into y above 65535.  Needs: nothing.  Workgroup memory: 1 KiB.
// Provides: keep_word.

// include common/quantised_row.wgsl: params, y, WORKGROUP_SIZE, quantise_row
// include common/workgroup_index.wgsl: workgroup_index

// Stores four bytes of a token. Stored rows have params.words words; the row in workgroup memory may be longer.
fn keep_word(token: u32, word: u32, bytes: u32) {
  if (word < params.words) { y[token * params.words + word] = bytes; }
}

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
}
