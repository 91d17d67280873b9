// common/gemm_stage_lines: a block of B and a line of A at four k to a lane: the same work for all lanes of a tile in which
// B is four times as long as A.
// Gives: fetch_ahead, stage_tile.  Takes: line_of_a, load_b.

// include common/gemm_staging.wgsl: TILE_M, TILE_K, LANES, Block, a_words, staged_at, k_of_block, stage_b

// What a lane stages, fetched while the turn before multiplies. By experiment that pays here, and not where blocks alone are
// staged (docs/performance-log.md, "Products with many tokens").
struct Ahead {
  a: vec4<f32>,
  b: Block,
}

// As many lines of A as blocks of B, and never more than lanes.
fn has_part(lane: u32) -> bool {
  return LANES <= TILE_M * (TILE_K / 4u) || lane < TILE_M * (TILE_K / 4u);
}

// Of what the tile that begins in row first.x and column first.y multiplies from k on.
fn fetch_ahead(first: vec2<u32>, k: u32, lane: u32) -> Ahead {
  var ahead = Ahead();
  if (has_part(lane)) {
    let line = lane / (TILE_K / 4u);
    ahead.a = line_of_a(first.x + line, k + k_of_block(lane));
    ahead.b = load_b(first.y + 4u * line, k + k_of_block(lane));
  }
  return ahead;
}

// To be followed by a barrier.
fn stage_tile(_first: vec2<u32>, _k: u32, lane: u32, ahead: Ahead) {
  if (has_part(lane)) {
    stage_b(lane, ahead.b);
    let line = lane / (TILE_K / 4u);
    let at = staged_at(k_of_block(lane), line / 4u, TILE_M);
    a_words[at][line % 4u] = ahead.a.x;
    a_words[at + TILE_M / 4u][line % 4u] = ahead.a.y;
    a_words[at + 2u * (TILE_M / 4u)][line % 4u] = ahead.a.z;
    a_words[at + 3u * (TILE_M / 4u)][line % 4u] = ahead.a.w;
  }
}
