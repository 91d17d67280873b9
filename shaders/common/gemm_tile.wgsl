// common/gemm_tile: a tile of C = A B^T, in one of three sizes.

// variant large: a large tile of C = A B^T, eight rows by eight columns to a lane: four in each half of the tile, half a tile
// apart.
// TILE_M and TILE_N: 128 and 128, or 64 and 128, or 64 and 256, with TILE_M * TILE_N / 64 lanes. TILE_K: 16, or 4.
// Provides: FOURS, multiply_tile, place_of_four, store_tile.  Requires: Sums, multiply_add, finish_four.

// include common/gemm_staging.wgsl: TILE_M, TILE_N, TILE_K, a_words, b_words, staged_at
// include common/gemm_load_tile.wgsl#blocks or #lines: fetch_ahead, stage_tile

// A lane has this many fours of sums (four sums side by side).
const FOURS = 16u;

// Which four rows (x) and which four columns (y) of the first half of the tile are this lane's, counted in fours. In the second
// half, this lane has the fours at the same distance from its start. 32 neighbouring lanes cover eight fours of columns by four
// of rows, so that they read the fewest different words.
fn lane_fours(lane: u32) -> vec2<u32> {
  let across = TILE_N / 64u;
  let group = lane / 32u;
  return vec2(lane / 8u % 4u + 4u * (group / across), lane % 8u + 8u * (group % across));
}

// Adds the products at the staged position i of k to this lane's sums. Here sums 2 j and 2 j + 1 are column j of eight, for the
// first and the second half of the rows: neighbouring multiply-adds share an element of B, and read one register less. There is
// no loop, since an index that is not a constant would move the sums from registers to memory.
fn multiply_staged(sums: ptr<function, array<Sums, FOURS>>, fours: vec2<u32>, i: u32) {
  let a_at = staged_at(i, fours.x, TILE_M);
  let b_at = staged_at(i, fours.y, TILE_N);
  let a0 = a_words[a_at];
  let a1 = a_words[a_at + TILE_M / 8u];
  let b0 = b_words[b_at];
  let b1 = b_words[b_at + TILE_N / 8u];
  (*sums)[0] = multiply_add(b0.x, a0, (*sums)[0]);
  (*sums)[1] = multiply_add(b0.x, a1, (*sums)[1]);
  (*sums)[2] = multiply_add(b0.y, a0, (*sums)[2]);
  (*sums)[3] = multiply_add(b0.y, a1, (*sums)[3]);
  (*sums)[4] = multiply_add(b0.z, a0, (*sums)[4]);
  (*sums)[5] = multiply_add(b0.z, a1, (*sums)[5]);
  (*sums)[6] = multiply_add(b0.w, a0, (*sums)[6]);
  (*sums)[7] = multiply_add(b0.w, a1, (*sums)[7]);
  (*sums)[8] = multiply_add(b1.x, a0, (*sums)[8]);
  (*sums)[9] = multiply_add(b1.x, a1, (*sums)[9]);
  (*sums)[10] = multiply_add(b1.y, a0, (*sums)[10]);
  (*sums)[11] = multiply_add(b1.y, a1, (*sums)[11]);
  (*sums)[12] = multiply_add(b1.z, a0, (*sums)[12]);
  (*sums)[13] = multiply_add(b1.z, a1, (*sums)[13]);
  (*sums)[14] = multiply_add(b1.w, a0, (*sums)[14]);
  (*sums)[15] = multiply_add(b1.w, a1, (*sums)[15]);
}

// Transposes four columns of four sums to four rows.
fn rows_of_columns(a: Sums, b: Sums, c: Sums, d: Sums) -> array<Sums, 4> {
  return array<Sums, 4>(
    Sums(a.x, b.x, c.x, d.x),
    Sums(a.y, b.y, c.y, d.y),
    Sums(a.z, b.z, c.z, d.z),
    Sums(a.w, b.w, c.w, d.w),
  );
}

// The sums over k from k_begin to k_end of the tile that begins in row first.x and column first.y. Sums 2 i and 2 i + 1
// are this lane's row i of eight, first and second half of the columns; rows 4 to 7 belong to the second half of the
// tile. Called by all lanes of the workgroup.
fn multiply_tile(first: vec2<u32>, k_begin: u32, k_end: u32, lane: u32) -> array<Sums, FOURS> {
  var sums: array<Sums, FOURS>;
  let fours = lane_fours(lane);
  var ahead = fetch_ahead(first, k_begin, lane);
  for (var k = k_begin; k < k_end; k += TILE_K) {
    stage_tile(first, k, lane, ahead);
    workgroupBarrier();
    // After the last iteration, what is fetched is not staged.
    ahead = fetch_ahead(first, k + TILE_K, lane);
    // Not a loop: since i is a constant, the positions of staged elements are constants, too.
    multiply_staged(&sums, fours, 0u);
    multiply_staged(&sums, fours, 1u);
    multiply_staged(&sums, fours, 2u);
    multiply_staged(&sums, fours, 3u);
    if (TILE_K == 16u) {
      multiply_staged(&sums, fours, 4u);
      multiply_staged(&sums, fours, 5u);
      multiply_staged(&sums, fours, 6u);
      multiply_staged(&sums, fours, 7u);
      multiply_staged(&sums, fours, 8u);
      multiply_staged(&sums, fours, 9u);
      multiply_staged(&sums, fours, 10u);
      multiply_staged(&sums, fours, 11u);
      multiply_staged(&sums, fours, 12u);
      multiply_staged(&sums, fours, 13u);
      multiply_staged(&sums, fours, 14u);
      multiply_staged(&sums, fours, 15u);
    }
    workgroupBarrier(); // the next iteration stages again
  }
  let upper_left = rows_of_columns(sums[0], sums[2], sums[4], sums[6]);
  let upper_right = rows_of_columns(sums[8], sums[10], sums[12], sums[14]);
  let lower_left = rows_of_columns(sums[1], sums[3], sums[5], sums[7]);
  let lower_right = rows_of_columns(sums[9], sums[11], sums[13], sums[15]);
  return array<Sums, FOURS>(
    upper_left[0],
    upper_right[0],
    upper_left[1],
    upper_right[1],
    upper_left[2],
    upper_right[2],
    upper_left[3],
    upper_right[3],
    lower_left[0],
    lower_right[0],
    lower_left[1],
    lower_right[1],
    lower_left[2],
    lower_right[2],
    lower_left[3],
    lower_right[3],
  );
}

// Row (x) and column (y) of the tile where this lane's four sums number i begin.
fn place_of_four(lane: u32, i: u32) -> vec2<u32> {
  let half = vec2(TILE_M, TILE_N) / 2u;
  return 4u * lane_fours(lane) + vec2(i / 2u % 4u + half.x * (i / 8u), half.y * (i % 2u));
}

fn finish_sums(first: vec2<u32>, lane: u32, i: u32, sums: Sums) {
  let at = first + place_of_four(lane, i);
  finish_four(at.x, at.y, sums);
}

// Passes the result of multiply_tile to finish_four.
fn store_tile(first: vec2<u32>, lane: u32, sums: array<Sums, FOURS>) {
  finish_sums(first, lane, 0u, sums[0]);
  finish_sums(first, lane, 1u, sums[1]);
  finish_sums(first, lane, 2u, sums[2]);
  finish_sums(first, lane, 3u, sums[3]);
  finish_sums(first, lane, 4u, sums[4]);
  finish_sums(first, lane, 5u, sums[5]);
  finish_sums(first, lane, 6u, sums[6]);
  finish_sums(first, lane, 7u, sums[7]);
  finish_sums(first, lane, 8u, sums[8]);
  finish_sums(first, lane, 9u, sums[9]);
  finish_sums(first, lane, 10u, sums[10]);
  finish_sums(first, lane, 11u, sums[11]);
  finish_sums(first, lane, 12u, sums[12]);
  finish_sums(first, lane, 13u, sums[13]);
  finish_sums(first, lane, 14u, sums[14]);
  finish_sums(first, lane, 15u, sums[15]);
}

// variant small: a small tile of C = A B^T, four rows by four columns to a lane: for products that have too few
// large tiles to keep a device busy. TILE_M and TILE_N: multiples of 32, with TILE_M * TILE_N / 16 lanes. TILE_K: 32.
// Provides: FOURS, multiply_tile, place_of_four, store_tile.  Requires: Sums, multiply_add, finish_four.

// include common/gemm_staging.wgsl: TILE_M, TILE_N, TILE_K, a_words, b_words, staged_at
// include common/gemm_load_tile.wgsl#blocks: fetch_ahead, stage_tile

// A lane has this many fours of sums (four sums side by side).
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
    workgroupBarrier(); // the next iteration stages again
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

// Passes the result of multiply_tile to finish_four.
fn store_tile(first: vec2<u32>, lane: u32, sums: array<Sums, FOURS>) {
  finish_sums(first, lane, 0u, sums[0]);
  finish_sums(first, lane, 1u, sums[1]);
  finish_sums(first, lane, 2u, sums[2]);
  finish_sums(first, lane, 3u, sums[3]);
}

// variant lines: four by four sums of C = A B^T, for which the lanes of a workgroup divide k among themselves: for so few rows
// of A that only reading B takes time. Nothing is staged. TILE_M and TILE_N: 4. LANES: a power of two.
// Provides: FOURS, multiply_tile, place_of_four, store_tile.  Requires: Sums, Words, multiply_add, load_a, load_b, finish_four.

// include common/gemm_staging.wgsl: LANES

// Fours of sums of the tile.
const FOURS = 4u;

// The sums of every lane.
var<workgroup> lane_sums: array<array<Sums, FOURS>, LANES>;

// Adds the products of four lines of A with four of B at one k.
fn add_products(sums: ptr<function, array<Sums, FOURS>>, a: Words, b: Words) {
  (*sums)[0] = multiply_add(a.x, b, (*sums)[0]);
  (*sums)[1] = multiply_add(a.y, b, (*sums)[1]);
  (*sums)[2] = multiply_add(a.z, b, (*sums)[2]);
  (*sums)[3] = multiply_add(a.w, b, (*sums)[3]);
}

// The sums over k from k_begin to k_end of the tile that begins in row first.x and column first.y: four i is row i of the tile,
// the same in every lane. Called by all lanes of the workgroup.
fn multiply_tile(first: vec2<u32>, k_begin: u32, k_end: u32, lane: u32) -> array<Sums, FOURS> {
  var sums: array<Sums, FOURS>;
  for (var k = k_begin + 4u * lane; k < k_end; k += 4u * LANES) {
    let a = load_a(first.x, k);
    let b = load_b(first.y, k);
    add_products(&sums, a.k0, b.k0);
    add_products(&sums, a.k1, b.k1);
    add_products(&sums, a.k2, b.k2);
    add_products(&sums, a.k3, b.k3);
  }
  lane_sums[lane] = sums;
  workgroupBarrier();
  for (var distance = LANES / 2u; distance > 0u; distance >>= 1u) {
    if (lane < distance) {
      for (var i = 0u; i < FOURS; i++) {
        lane_sums[lane][i] += lane_sums[lane + distance][i];
      }
    }
    workgroupBarrier();
  }
  return lane_sums[0];
}

// Row (x) and column (y) of the tile where the four sums number i begin.
fn place_of_four(_lane: u32, i: u32) -> vec2<u32> {
  return vec2(i, 0u);
}

// Passes the result of multiply_tile to finish_four.
fn store_tile(first: vec2<u32>, lane: u32, sums: array<Sums, FOURS>) {
  if (lane == 0u) {
    finish_four(first.x, first.y, sums[0]);
    finish_four(first.x + 1u, first.y, sums[1]);
    finish_four(first.x + 2u, first.y, sums[2]);
    finish_four(first.x + 3u, first.y, sums[3]);
  }
}
