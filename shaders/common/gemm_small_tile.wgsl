// common/gemm_small_tile: a small tile of C = A B^T, four rows by four columns to a lane: for products that have too few
// large tiles to keep a device busy. TILE_M and TILE_N: multiples of 32, with TILE_M * TILE_N / 16 lanes. TILE_K: 32.
// Gives: FOURS, multiply_tile, place_of_four, store_tile.  Takes: Sums, multiply_add, finish_four.

// include common/gemm_staging.wgsl: TILE_M, TILE_N, TILE_K, a_words, b_words, staged_at
// include common/gemm_stage.wgsl#blocks: fetch_ahead, stage_tile

// Fours of sums to a lane.
const FOURS = 4u;

// Which four rows (x) and columns (y) of the tile are this lane's, in fours.
fn lane_fours(lane: u32) -> vec2<u32> {
  return vec2(lane / (TILE_N / 4u), lane % (TILE_N / 4u));
}

// The sums over k from k_begin to k_end of the tile that begins in row first.x and column first.y, for each of this lane's
// four rows. Called by all lanes of the workgroup.
fn multiply_tile(first: vec2<u32>, k_begin: u32, k_end: u32, lane: u32) -> array<Sums, FOURS> {
  var sums: array<Sums, FOURS>;
  let fours = lane_fours(lane);
  for (var k = k_begin; k < k_end; k += TILE_K) {
    stage_tile(first, k, lane, fetch_ahead(first, k, lane));
    workgroupBarrier();
    for (var i = 0u; i < TILE_K; i++) {
      let a = a_words[staged_at(i, fours.x, TILE_M)];
      let b = b_words[staged_at(i, fours.y, TILE_N)];
      sums[0] = multiply_add(a.x, b, sums[0]);
      sums[1] = multiply_add(a.y, b, sums[1]);
      sums[2] = multiply_add(a.z, b, sums[2]);
      sums[3] = multiply_add(a.w, b, sums[3]);
    }
    workgroupBarrier(); // the next turn stages again
  }
  return sums;
}

// Row (x) and column (y) of the tile where this lane's four sums number i begin.
fn place_of_four(lane: u32, i: u32) -> vec2<u32> {
  return 4u * lane_fours(lane) + vec2(i, 0u);
}

fn finish_sums(first: vec2<u32>, lane: u32, i: u32, sums: Sums) {
  let at = first + place_of_four(lane, i);
  finish_four(at.x, at.y, sums);
}

// Gives what multiply_tile returned to finish_four.
fn store_tile(first: vec2<u32>, lane: u32, sums: array<Sums, FOURS>) {
  finish_sums(first, lane, 0u, sums[0]);
  finish_sums(first, lane, 1u, sums[1]);
  finish_sums(first, lane, 2u, sums[2]);
  finish_sums(first, lane, 3u, sums[3]);
}
