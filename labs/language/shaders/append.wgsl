// language/append: writes the keys of several tokens, after RoPE, and their values to the KV cache.
// Lanes: any; each has four columns of a head.
// Dispatch: x = heads of keys, y = tokens.  Needs: nothing.  Workgroup memory: 0 B.

// include language/late_scale.wgsl#none: late_scale
// include language/heads.wgsl: FOURS, CONTEXT, state, key_four, value_four, scaled, keep_key, keep_value

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local_index: u32) {
  let head = group.x;
  let token = group.y;
  let position = state[0] + token;
  if (position >= CONTEXT) {
    return;
  }
  for (var four = local_index; four < FOURS; four += WORKGROUP_SIZE) {
    keep_key(head, position, four, scaled(key_four(token, head, four, position)));
    keep_value(head, position, four, scaled(value_four(token, head, four)));
  }
}
