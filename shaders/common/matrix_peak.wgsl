// common/matrix_peak: subgroup matrices of bytes in registers alone; their speed is what a kernel bound by matrix units can
// reach.
// Lanes: subgroups of 32; each has eight independent matrices of sums, so that one hides the latency of another.
// Dispatch: x = workgroups.  Needs: subgroups, chromium-experimental-subgroup-matrix.  Workgroup memory: 8 KiB.
// Whether control flow is the same for a whole subgroup is not seen by the compiler: it is the same for a whole workgroup.
diagnostic(off, chromium.subgroup_matrix_uniformity);

// include common/subgroup_matrices.wgsl#rows_first or #columns_first: Tokens, Rows, Products

/// one word: any sum that is NEVER, so that no step can be left out
@group(0) @binding(0) var<storage, read_write> sink: array<i32>;

/// lanes of a workgroup, at most 256
override WORKGROUP_SIZE: u32 = 256;
/// steps, eight products each
override STEPS: u32 = 64;

// A sum that is not expected.
const NEVER = 0x5ca1ab1e;
// Spreads the numbers of lanes over all bits of a word.
const SPREAD = 0x9e3779b9u;
const SUBGROUP = 32u;
const SIDE = 16u;
// Words of a line of 32 bytes, and of a matrix of sums.
const LINE = 8u;
const SUMS = 256u;
const WORDS = 2048u;

// Lines of bytes; in the end, a matrix of sums for each subgroup.
var<workgroup> words: array<i32, WORDS>;

fn tokens_at(line: u32) -> Tokens {
  return subgroupMatrixLoad<Tokens, row_major>(&words, line * LINE, LINE);
}

fn rows_at(line: u32) -> Rows {
  return subgroupMatrixLoad<Rows, col_major>(&words, line * LINE, LINE);
}

// A sum out of a matrix.
fn one_of(sums: Products, start: u32, lane: u32) -> i32 {
  workgroupBarrier();
  subgroupMatrixStore<row_major>(&words, start, sums, SIDE);
  workgroupBarrier();
  return words[start + lane % SUBGROUP];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  for (var i = lane; i < WORDS; i += WORKGROUP_SIZE) {
    words[i] = bitcast<i32>((i + group.x) * SPREAD);
  }
  workgroupBarrier();
  let a = tokens_at(0u);
  let b = tokens_at(SIDE);
  let p = rows_at(2u * SIDE);
  let q = rows_at(3u * SIDE);
  let r = rows_at(4u * SIDE);
  let s = rows_at(5u * SIDE);
  var ap: Products;
  var aq: Products;
  var ar: Products;
  var at: Products;
  var bp: Products;
  var bq: Products;
  var br: Products;
  var bs: Products;
  for (var step = 0u; step < STEPS; step++) {
    ap = subgroupMatrixMultiplyAccumulate(a, p, ap);
    aq = subgroupMatrixMultiplyAccumulate(a, q, aq);
    ar = subgroupMatrixMultiplyAccumulate(a, r, ar);
    at = subgroupMatrixMultiplyAccumulate(a, s, at);
    bp = subgroupMatrixMultiplyAccumulate(b, p, bp);
    bq = subgroupMatrixMultiplyAccumulate(b, q, bq);
    br = subgroupMatrixMultiplyAccumulate(b, r, br);
    bs = subgroupMatrixMultiplyAccumulate(b, s, bs);
  }
  let start = lane / SUBGROUP * SUMS;
  let upper = one_of(ap, start, lane) + one_of(aq, start, lane) + one_of(ar, start, lane) + one_of(at, start, lane);
  let lower = one_of(bp, start, lane) + one_of(bq, start, lane) + one_of(br, start, lane) + one_of(bs, start, lane);
  if (upper + lower == NEVER) { sink[0] = upper; }
}
