// common/gemm_load_tile: loads the next part of both operands of a GEMM, and stores it in workgroup memory.

// variant blocks: both operands are staged in blocks of four lines by four k, at most two per lane. The blocks of B are
// numbered first, then those of A.
// Provides: fetch_ahead, stage_tile.  Requires: load_b, load_a.

// include common/gemm_staging.wgsl: TILE_M, TILE_N, TILE_K, LANES, Block, k_of_block, stage_a, stage_b

// Nothing is fetched ahead. Fetching ahead needs registers; with fewer registers two workgroups fit on a processor, and
// one multiplies while the other waits for loads.
alias Ahead = u32;

fn fetch_ahead(_first: vec2<u32>, _k: u32, _lane: u32) -> Ahead {
  return 0u;
}

fn blocks_of_b() -> u32 {
  return TILE_N / 4u * (TILE_K / 4u);
}

fn fetch_block(block: u32, first: vec2<u32>, k: u32) -> Block {
  let line = 4u * (block / (TILE_K / 4u));
  if (block < blocks_of_b()) {
    return load_b(first.y + line, k + k_of_block(block));
  }
  // The blocks of A follow those of the TILE_N lines of B.
  return load_a(first.x + line - TILE_N, k + k_of_block(block));
}

fn stage_block(block: u32, words: Block) {
  if (block < blocks_of_b()) {
    stage_b(block, words);
  } else {
    stage_a(block - blocks_of_b(), words);
  }
}

// Stages the part of both operands from k on for the tile that begins in row first.x and column first.y. A barrier has to
// follow.
fn stage_tile(first: vec2<u32>, k: u32, lane: u32, _ahead: Ahead) {
  let blocks = (TILE_M + TILE_N) / 4u * (TILE_K / 4u);
  let has_first_block = LANES <= blocks || lane < blocks;
  let has_second_block = LANES < blocks && LANES + lane < blocks;
  // Both blocks are loaded before one is staged, so that their loads are in flight together.
  var first_block = Block();
  var second_block = Block();
  if (has_first_block) { first_block = fetch_block(lane, first, k); }
  if (has_second_block) { second_block = fetch_block(LANES + lane, first, k); }
  if (has_first_block) { stage_block(lane, first_block); }
  if (has_second_block) { stage_block(LANES + lane, second_block); }
}

// variant lines: each lane loads four neighbouring k of one line of A, and a block of B of four lines by four k. All lanes
// have the same work if TILE_N = 4 TILE_M.
// Provides: fetch_ahead, stage_tile.  Requires: line_of_a, load_b.

// include common/gemm_staging.wgsl: TILE_M, TILE_K, LANES, Block, a_words, staged_at, k_of_block, stage_b

// The part that a lane stages. It is fetched while the part before is multiplied. Measured: this is faster here, but not in
// `blocks`, the other variant (docs/performance-lessons.md, "Products with many tokens").
struct Ahead {
  a: vec4<f32>,
  b: Block,
}

// Whether a lane stages a part: there are as many lines of A as blocks of B, and at most LANES of them.
fn has_part(lane: u32) -> bool {
  return LANES <= TILE_M * (TILE_K / 4u) || lane < TILE_M * (TILE_K / 4u);
}

// Loads this lane's part of the operands from k on for the tile that begins in row first.x and column first.y.
fn fetch_ahead(first: vec2<u32>, k: u32, lane: u32) -> Ahead {
  var ahead = Ahead();
  if (has_part(lane)) {
    let line = lane / (TILE_K / 4u);
    ahead.a = line_of_a(first.x + line, k + k_of_block(lane));
    ahead.b = load_b(first.y + 4u * line, k + k_of_block(lane));
  }
  return ahead;
}

// Stores the part that was fetched ahead in workgroup memory. A barrier has to follow.
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
