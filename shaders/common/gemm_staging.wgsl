// common/gemm_staging: the part of A and B that a workgroup multiplies next, C = A B^T, in workgroup memory: a row for
// every k, so that four neighbouring lines are one vector. A line is a row of A (m) or of B (n); both are read in blocks
// of four lines by four k, which every operand file transposes so that lines run along k.
//
// A GEMM consists of six parts: this file; which lane loads and stages what (gemm_load_tile); a tile (gemm_tile#large,
// #small or #lines), which multiplies; the arithmetic (gemm_arithmetic); the operands, load_a and load_b; and the use of
// the sums: main calls multiply_tile, and store_tile passes them to finish_four, four by four. common/gemm includes the
// first three. With gemm_tile#lines nothing is staged.
// Provides: TILE_M, TILE_N, TILE_K, LANES, a_words, b_words, Block, block_of_lines, staged_at, k_of_block, stage_a, stage_b.
// Requires: Words.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).

// Rows of C of a workgroup, a multiple of 32, or 4 with gemm_tile#lines.
override TILE_M: u32 = 128u;
// Columns of C of a workgroup, a multiple of 32, or 4 with gemm_tile#lines.
override TILE_N: u32 = 128u;
// Products of every sum that are staged at a time, a multiple of 4.
override TILE_K: u32 = 16u;
// Lanes of a workgroup, as many as the tile needs.
override LANES: u32 = 256u;

var<workgroup> a_words: array<Words, TILE_K * TILE_M / 4u>;
var<workgroup> b_words: array<Words, TILE_K * TILE_N / 4u>;

// Four neighbouring lines at four neighbouring k: a vector of lines for each k.
struct Block {
  k0: Words,
  k1: Words,
  k2: Words,
  k3: Words,
}

// The block of four lines that are given along k.
fn block_of_lines(a: Words, b: Words, c: Words, d: Words) -> Block {
  return Block(
    Words(a.x, b.x, c.x, d.x),
    Words(a.y, b.y, c.y, d.y),
    Words(a.z, b.z, c.z, d.z),
    Words(a.w, b.w, c.w, d.w),
  );
}

// Element of a staged operand with `tile` lines: four lines at k. Neighbouring lanes have neighbouring k of a block
// when they write, and neighbouring lines when they read; each time they find themselves in different banks.
fn staged_at(k: u32, four_lines: u32, tile: u32) -> u32 {
  return k * (tile / 4u) + (four_lines ^ ((k / 4u * 2u) & 6u));
}

// Which four k a block has; neighbouring blocks are neighbours along k.
fn k_of_block(block: u32) -> u32 {
  return 4u * (block % (TILE_K / 4u));
}

// Block number `block` of A.
fn stage_a(block: u32, words: Block) {
  let k = k_of_block(block);
  let four = block / (TILE_K / 4u);
  a_words[staged_at(k, four, TILE_M)] = words.k0;
  a_words[staged_at(k + 1u, four, TILE_M)] = words.k1;
  a_words[staged_at(k + 2u, four, TILE_M)] = words.k2;
  a_words[staged_at(k + 3u, four, TILE_M)] = words.k3;
}

// Block number `block` of B.
fn stage_b(block: u32, words: Block) {
  let k = k_of_block(block);
  let four = block / (TILE_K / 4u);
  b_words[staged_at(k, four, TILE_N)] = words.k0;
  b_words[staged_at(k + 1u, four, TILE_N)] = words.k1;
  b_words[staged_at(k + 2u, four, TILE_N)] = words.k2;
  b_words[staged_at(k + 3u, four, TILE_N)] = words.k3;
}
