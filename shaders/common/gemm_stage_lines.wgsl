// common/gemm_stage_lines: a block of B and a line of A at four k to a lane: the same work for all lanes of a tile in which
// B is four times as long as A.
// Gives: stage_tile.  Takes: line_of_a, load_b.

// include common/gemm_staging.wgsl: TILE_M, TILE_K, LANES, a_words, staged_at, k_of_block, stage_b

// What the tile that begins in row first.x and column first.y multiplies from k on. To be followed by a barrier.
fn stage_tile(first: vec2<u32>, k: u32, lane: u32) {
  // As many lines of A as blocks of B, and never more than lanes.
  if (LANES > TILE_M * (TILE_K / 4u) && lane >= TILE_M * (TILE_K / 4u)) {
    return;
  }
  let lane_k = k_of_block(lane);
  let line = lane / (TILE_K / 4u);
  // All is read before anything is staged.
  let a = line_of_a(first.x + line, k + lane_k);
  let b = load_b(first.y + 4u * line, k + lane_k);
  stage_b(lane, b);
  let at = staged_at(lane_k, line / 4u, TILE_M);
  a_words[at][line % 4u] = a.x;
  a_words[at + TILE_M / 4u][line % 4u] = a.y;
  a_words[at + 2u * (TILE_M / 4u)][line % 4u] = a.z;
  a_words[at + 3u * (TILE_M / 4u)][line % 4u] = a.w;
}
