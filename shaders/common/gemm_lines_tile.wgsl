// common/gemm_lines_tile: four by four sums of C = A B^T, among which the lanes of a workgroup share out k: for so few rows
// of A that reading B is all that matters. Nothing is staged. TILE_M and TILE_N: 4. LANES: a power of two.
// Gives: FOURS, multiply_tile, place_of_four, store_tile.  Takes: Sums, Words, multiply_add, load_a, load_b, finish_four.

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

// The sums over k from k_begin to k_end of the tile that begins in row first.x and column first.y: row i is number i, in
// every lane. Called by all lanes of the workgroup.
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

// Gives what multiply_tile returned to finish_four.
fn store_tile(first: vec2<u32>, lane: u32, sums: array<Sums, FOURS>) {
  if (lane == 0u) {
    finish_four(first.x, first.y, sums[0]);
    finish_four(first.x + 1u, first.y, sums[1]);
    finish_four(first.x + 2u, first.y, sums[2]);
    finish_four(first.x + 3u, first.y, sums[3]);
  }
}
