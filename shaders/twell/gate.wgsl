// twell/gate: h = ReLU(x Wg^T), packed by the workgroup that computes it, which owns whole tiles of TwELL.
// Source: TwELL paper, section 3.2, and listing 1. Differs: the position of a non-zero is the number of non-zeros before
// it, so that columns are in order (with atomics the order varies); a tile row with too many non-zeros stores its true
// count and as many of them as fit.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(n / TILE_N), y = ceil(m / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N) and 1 bit per sum.
// Provides: finish_four.

// include common/matmul.wgsl: params, Sums, TILE_M, TILE_N, LANES, multiply_tile, place_of_four, store_tile
// include common/bf16_bits.wgsl: bf16_bits

// Tile rows one after the other: the count, then a word for each non-zero, its bf16 bits above its column in 16 bits.
@group(0) @binding(3) var<storage, read_write> words: array<u32>;

// Which neurons fire, that is, which sums of a row are above 0: a bit for each, 32 columns to a word, row by row.
var<workgroup> answers: array<atomic<u32>, TILE_M * TILE_N / 32u>;

// A bit for each of four sums, the first column lowest: 1 if the sum is above 0. It is 0 for a NaN, and past the last
// neuron.
fn answer_bits(sums: vec4<f32>, neuron: u32) -> u32 {
  let exist = vec4(neuron) + vec4(0u, 1u, 2u, 3u) < vec4(params.n);
  // step: relu
  return dot(select(vec4(0u), vec4(1u, 2u, 4u, 8u), (sums > vec4(0.0)) & exist), vec4(1u));
}

// Called by store_tile: sets a bit for each of four sums that is above 0.
fn finish_four(token: u32, neuron: u32, sums: Sums) {
  let row = token % TILE_M;
  let column = neuron % TILE_N;
  atomicOr(&answers[(row * TILE_N + column) / 32u], answer_bits(sums, neuron) << (column % 32u));
}

// How many sums of a row are above 0 in the tile of `column`, before `column`.
fn answers_before(row: u32, column: u32) -> u32 {
  let start = column / params.tile_width * params.tile_width;
  let words_of_row = row * TILE_N / 32u;
  var count = 0u;
  for (var word = start / 32u; word < column / 32u; word++) {
    count += countOneBits(atomicLoad(&answers[words_of_row + word]));
  }
  // A tile narrower than a word begins inside it.
  let from_bit = select(0u, start % 32u, start / 32u == column / 32u);
  let last = atomicLoad(&answers[words_of_row + column / 32u]);
  return count + countOneBits(extractBits(last, from_bit, column % 32u - from_bit));
}

// Packs the sums above 0 among four sums of a row. `at` is the row and the column of the first sum in the workgroup's tile,
// `first` the token and the neuron of the tile's corner.
fn store_four(at: vec2<u32>, first: vec2<u32>, sums: vec4<f32>) {
  let token = first.x + at.x;
  let neuron = first.y + at.y;
  let bits = answer_bits(sums, neuron);
  if (token >= params.m || bits == 0u) {
    return;
  }
  let tile_row = token * params.c_stride + neuron / params.tile_width;
  var place = answers_before(at.x, at.y);
  for (var i = 0u; i < 4u; i++) {
    if (((bits >> i) & 1u) == 0u) {
      continue;
    }
    place++; // the count comes first
    if (place < params.slots) {
      // step: epilogue
      words[tile_row * params.slots + place] = (bf16_bits(sums[i]) << 16u) | (neuron + i);
    }
  }
}

// Stores the counts of all tile rows of the workgroup, one token after the other.
fn store_counts(first: vec2<u32>, lane: u32) {
  let tiles = TILE_N / params.tile_width;
  for (var i = lane; i < TILE_M * tiles; i += LANES) {
    let row = i / tiles;
    let column = i % tiles * params.tile_width;
    if (first.x + row >= params.m || first.y + column >= params.n) {
      continue;
    }
    // The sums before the last column of the tile, and the sum of the last column.
    let end = column + params.tile_width - 1u;
    let last = atomicLoad(&answers[(row * TILE_N + end) / 32u]);
    let count = answers_before(row, end) + extractBits(last, end % 32u, 1u);
    words[((first.x + row) * params.c_stride + (first.y + column) / params.tile_width) * params.slots] = count;
  }
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup_id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let first = workgroup_id.yx * vec2(TILE_M, TILE_N);
  if (first.x >= params.m || first.y >= params.n) {
    return;
  }
  // step: product
  let sums = multiply_tile(first, 0u, params.k, lane);
  store_tile(first, lane, sums);
  workgroupBarrier();
  // One by one: with an index that is not a constant, the compiler would move the sums from registers to memory.
  store_four(place_of_four(lane, 0u), first, sums[0]);
  store_four(place_of_four(lane, 1u), first, sums[1]);
  store_four(place_of_four(lane, 2u), first, sums[2]);
  store_four(place_of_four(lane, 3u), first, sums[3]);
  store_four(place_of_four(lane, 4u), first, sums[4]);
  store_four(place_of_four(lane, 5u), first, sums[5]);
  store_four(place_of_four(lane, 6u), first, sums[6]);
  store_four(place_of_four(lane, 7u), first, sums[7]);
  store_four(place_of_four(lane, 8u), first, sums[8]);
  store_four(place_of_four(lane, 9u), first, sums[9]);
  store_four(place_of_four(lane, 10u), first, sums[10]);
  store_four(place_of_four(lane, 11u), first, sums[11]);
  store_four(place_of_four(lane, 12u), first, sums[12]);
  store_four(place_of_four(lane, 13u), first, sums[13]);
  store_four(place_of_four(lane, 14u), first, sums[14]);
  store_four(place_of_four(lane, 15u), first, sums[15]);
  store_counts(first, lane);
}
