// common/gemm_tile: a large tile of C = A B^T, eight rows by eight columns to a lane, four and four of each half a tile
// apart. What comes next is read into registers while the staged part is multiplied.
// TILE_M and TILE_N: 128 and 128, or 64 and 128, or 64 and 256, with TILE_M * TILE_N / 64 lanes. TILE_K: 16.
// Gives: lane_fours, multiply_tile, store_tile.
// Takes: Words, Sums, multiply_add, finish_four, and the names of gemm_staging.

// Which four rows (x) and columns (y) of the first half of the tile are this lane's, in fours; those of the second half
// lie as far from its middle. 32 neighbouring lanes cover eight fours of columns by four of rows: fewest different words.
fn lane_fours(lane: u32) -> vec2<u32> {
  let across = TILE_N / 64u;
  let group = lane / 32u;
  return vec2(lane / 8u % 4u + 4u * (group / across), lane % 8u + 8u * (group % across));
}

// The sums over k of the tile that begins in row first.x and column first.y. Sums 2 i and 2 i + 1 are this lane's row i
// of eight, first and second half of the columns; rows 4 to 7 are those of the second half of the tile.
// Called by all lanes of the workgroup.
fn multiply_tile(first: vec2<u32>, k_end: u32, lane: u32) -> array<Sums, 16> {
  var sums: array<Sums, 16>;
  let fours = lane_fours(lane);
  let blocks = (TILE_M + TILE_N) / 4u * (TILE_K / 4u);
  let has_more = LANES < blocks && LANES + lane < blocks;
  var next = fetch_block(lane, first, 0u);
  var more = Block();
  if (has_more) { more = fetch_block(LANES + lane, first, 0u); }
  for (var k = 0u; k < k_end; k += TILE_K) {
    stage_block(lane, next);
    if (has_more) { stage_block(LANES + lane, more); }
    workgroupBarrier();
    if (k + TILE_K < k_end) {
      next = fetch_block(lane, first, k + TILE_K);
      if (has_more) { more = fetch_block(LANES + lane, first, k + TILE_K); }
    }
    for (var i = 0u; i < TILE_K; i++) {
      let a_at = staged_at(i, fours.x, TILE_M);
      let b_at = staged_at(i, fours.y, TILE_N);
      let a0 = a_words[a_at];
      let a1 = a_words[a_at + TILE_M / 8u];
      let b0 = b_words[b_at];
      let b1 = b_words[b_at + TILE_N / 8u];
      // One by one: an index that is not a constant would send the sums to memory.
      sums[0] = multiply_add(a0.x, b0, sums[0]);
      sums[1] = multiply_add(a0.x, b1, sums[1]);
      sums[2] = multiply_add(a0.y, b0, sums[2]);
      sums[3] = multiply_add(a0.y, b1, sums[3]);
      sums[4] = multiply_add(a0.z, b0, sums[4]);
      sums[5] = multiply_add(a0.z, b1, sums[5]);
      sums[6] = multiply_add(a0.w, b0, sums[6]);
      sums[7] = multiply_add(a0.w, b1, sums[7]);
      sums[8] = multiply_add(a1.x, b0, sums[8]);
      sums[9] = multiply_add(a1.x, b1, sums[9]);
      sums[10] = multiply_add(a1.y, b0, sums[10]);
      sums[11] = multiply_add(a1.y, b1, sums[11]);
      sums[12] = multiply_add(a1.z, b0, sums[12]);
      sums[13] = multiply_add(a1.z, b1, sums[13]);
      sums[14] = multiply_add(a1.w, b0, sums[14]);
      sums[15] = multiply_add(a1.w, b1, sums[15]);
    }
    workgroupBarrier(); // the next turn stages again
  }
  return sums;
}

// Gives what multiply_tile returned to finish_four.
fn store_tile(first: vec2<u32>, lane: u32, sums: array<Sums, 16>) {
  let at = first + 4u * lane_fours(lane);
  let half = vec2(TILE_M, TILE_N) / 2u;
  finish_four(at.x, at.y, sums[0]);
  finish_four(at.x, at.y + half.y, sums[1]);
  finish_four(at.x + 1u, at.y, sums[2]);
  finish_four(at.x + 1u, at.y + half.y, sums[3]);
  finish_four(at.x + 2u, at.y, sums[4]);
  finish_four(at.x + 2u, at.y + half.y, sums[5]);
  finish_four(at.x + 3u, at.y, sums[6]);
  finish_four(at.x + 3u, at.y + half.y, sums[7]);
  finish_four(at.x + half.x, at.y, sums[8]);
  finish_four(at.x + half.x, at.y + half.y, sums[9]);
  finish_four(at.x + half.x + 1u, at.y, sums[10]);
  finish_four(at.x + half.x + 1u, at.y + half.y, sums[11]);
  finish_four(at.x + half.x + 2u, at.y, sums[12]);
  finish_four(at.x + half.x + 2u, at.y + half.y, sums[13]);
  finish_four(at.x + half.x + 3u, at.y, sums[14]);
  finish_four(at.x + half.x + 3u, at.y + half.y, sums[15]);
}
