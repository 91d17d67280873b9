// twell/add_rows: what a lane adds up of y, eight columns at a time: rows of Wd by the values of the list.
// Gives: MOST_CHUNKS, Sums, add_listed, store_sums.  Takes: WORKGROUP_SIZE.

// include twell/token_sizes.wgsl: params
// include twell/token_list.wgsl: list_columns, list_values

// bf16, eight of a neuron each, the first of two in the lower half of a word.
@group(0) @binding(1) var<storage, read> wd: array<vec4<u32>>;
// Four columns of a token each.
@group(0) @binding(2) var<storage, read_write> y: array<vec4<f32>>;

// How often the lanes of a workgroup, eight columns each, go into the width, rounded up; at most MOST_CHUNKS.
override CHUNKS: u32 = 1u;
const MOST_CHUNKS = 4u;

// Four even and four odd columns of eight.
struct Sums {
  even: vec4<f32>,
  odd: vec4<f32>,
}

// The sums, going on with eight columns of a neuron's row of Wd times `factor`.
fn add_row(pairs: vec4<u32>, factor: f32, sums: Sums) -> Sums {
  let even = bitcast<vec4<f32>>(pairs << vec4(16u));
  let odd = bitcast<vec4<f32>>(pairs & vec4(0xffff0000u));
  // step: down
  return Sums(fma(vec4(factor), even, sums.even), fma(vec4(factor), odd, sums.odd));
}

// Adds the rows of Wd of the first `count` neurons of the list, times their values. Called by all lanes of the workgroup.
fn add_listed(all: ptr<function, array<Sums, MOST_CHUNKS>>, count: u32, local_index: u32) {
  let eights = params.width / 8u;
  for (var chunk = 0u; chunk < CHUNKS; chunk++) {
    let eight = chunk * WORKGROUP_SIZE + local_index;
    if (eight < eights) {
      var sums = (*all)[chunk];
      var i = 0u;
      // Four neurons at a time, so that their loads are under way together.
      for (; i + 4u <= count; i += 4u) {
        let a = wd[list_columns[i] * eights + eight];
        let b = wd[list_columns[i + 1u] * eights + eight];
        let c = wd[list_columns[i + 2u] * eights + eight];
        let d = wd[list_columns[i + 3u] * eights + eight];
        sums = add_row(a, list_values[i], sums);
        sums = add_row(b, list_values[i + 1u], sums);
        sums = add_row(c, list_values[i + 2u], sums);
        sums = add_row(d, list_values[i + 3u], sums);
      }
      for (; i < count; i++) {
        sums = add_row(wd[list_columns[i] * eights + eight], list_values[i], sums);
      }
      (*all)[chunk] = sums;
    }
  }
}

fn store_sums(token: u32, local_index: u32, sums: ptr<function, array<Sums, MOST_CHUNKS>>) {
  let eights = params.width / 8u;
  for (var chunk = 0u; chunk < CHUNKS; chunk++) {
    let eight = chunk * WORKGROUP_SIZE + local_index;
    if (eight < eights) {
      let even = (*sums)[chunk].even;
      let odd = (*sums)[chunk].odd;
      let at = 2u * (token * eights + eight);
      y[at] = vec4(even.x, odd.x, even.y, odd.y);
      y[at + 1u] = vec4(even.z, odd.z, even.w, odd.w);
    }
  }
}
