// twell/add_rows: what a lane adds up of y, eight columns at a time: rows of Wd by the values of the list.
// Gives: MOST_CHUNKS, Sums, add_row, store_sums.  Takes: WORKGROUP_SIZE.

// include twell/token_sizes.wgsl: params

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

// Adds a neuron's row of Wd, times `factor`.
fn add_row(sums: ptr<function, array<Sums, MOST_CHUNKS>>, factor: f32, neuron: u32, local_index: u32) {
  let eights = params.width / 8u;
  for (var chunk = 0u; chunk < CHUNKS; chunk++) {
    let eight = chunk * WORKGROUP_SIZE + local_index;
    if (eight < eights) {
      let pairs = wd[neuron * eights + eight];
      let even = bitcast<vec4<f32>>(pairs << vec4(16u));
      let odd = bitcast<vec4<f32>>(pairs & vec4(0xffff0000u));
      // step: down
      (*sums)[chunk].even = fma(vec4(factor), even, (*sums)[chunk].even);
      (*sums)[chunk].odd = fma(vec4(factor), odd, (*sums)[chunk].odd);
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
