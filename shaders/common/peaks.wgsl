// common/peaks: kernels that only compute, in registers. Their speed is the peak of an arithmetic (the roof of a roofline).

// variant fma: multiplies and adds in registers alone; its speed is what a kernel bound by arithmetic can reach.
// Lanes: any; each has eight independent chains of four multiply-adds, so that one hides the latency of another.
// Dispatch: x = workgroups.  Needs: nothing.  Workgroup memory: 0 B.

/// one word that is written when the sums are below 0, which they never are, so that no step can be left out
@group(0) @binding(0) var<storage, read_write> sink: array<u32>;

/// lanes of a workgroup
override WORKGROUP_SIZE: u32 = 256;
/// steps of every chain
override STEPS: u32 = 1024;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  // Not a compile-time constant, so that the loop is not optimised away; less than 1, so that the sums stay finite.
  let factor = vec4(0.5 + f32(group.x & 1u) * 0.25);
  let first = vec4(f32(lane), 1.0, 2.0, 3.0);
  var a = first;
  var b = first + 1.0;
  var c = first + 2.0;
  var d = first + 3.0;
  var e = first + 4.0;
  var f = first + 5.0;
  var g = first + 6.0;
  var h = first + 7.0;
  for (var step = 0u; step < STEPS; step++) {
    a = fma(a, factor, first);
    b = fma(b, factor, first);
    c = fma(c, factor, first);
    d = fma(d, factor, first);
    e = fma(e, factor, first);
    f = fma(f, factor, first);
    g = fma(g, factor, first);
    h = fma(h, factor, first);
  }
  let sum = (a + b) + (c + d) + ((e + f) + (g + h));
  if (sum.x + sum.y + sum.z + sum.w < 0.0) { sink[0] = group.x; }
}

// variant dot: dot products of four bytes in registers alone; their speed is what a kernel bound by arithmetic in i8 can
// reach.
// Lanes: any; each has eight independent chains, so that one hides the latency of another.
// Dispatch: x = workgroups.  Needs: nothing.  Workgroup memory: 0 B.

/// one word: the sum of the invocation SHOWN; also of any whose sum is NEVER, so that no step of any can be left out
@group(0) @binding(0) var<storage, read_write> sink: array<u32>;

/// lanes of a workgroup
override WORKGROUP_SIZE: u32 = 256;
/// steps of every chain, 16 dot products each
override STEPS: u32 = 64;
/// the invocation whose sum is written; none by default
override SHOWN: u32 = 0xffffffff;

// A sum that no chain is expected to have.
const NEVER = 0x5ca1ab1eu;
// Spreads the numbers of lanes over all bits of a word.
const SPREAD = 0x9e3779b9u;

// One step of a chain: adds the dot products of a chain's last result with `factor` to this result. A dot product then reads
// two registers; with a separate sum it would read three, and be slower.
fn link(a: vec4<u32>, factor: u32) -> vec4<u32> {
  let dots = vec4(
    dot4I8Packed(a.x, factor),
    dot4I8Packed(a.y, factor),
    dot4I8Packed(a.z, factor),
    dot4I8Packed(a.w, factor),
  );
  return a + bitcast<vec4<u32>>(dots);
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
  let factor = 0x7f3d9b81u + (group.x & 1u);
  var a = (vec4(lane) + vec4(1u, 257u, 513u, 769u)) * SPREAD;
  var b = a + 1u;
  // 16 links at a time, so that counting them costs next to nothing.
  for (var step = 0u; step < STEPS; step++) {
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
    a = link(a, factor);
    b = link(b, factor);
  }
  let sums = a + b;
  let sum = sums.x + sums.y + sums.z + sums.w;
  if (sum == NEVER || group.x * WORKGROUP_SIZE + lane == SHOWN) { sink[0] = sum; }
}

// variant matrix: subgroup matrices of bytes in registers alone; their speed is what a kernel bound by matrix units can
// reach.
// Lanes: subgroups of 32; each has eight independent matrices of sums, so that one hides the latency of another.
// Dispatch: x = workgroups.  Needs: subgroups, chromium-experimental-subgroup-matrix.  Workgroup memory: 8 KiB.
// Control flow is uniform in a whole workgroup, but the compiler cannot prove it.
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

// One of the sums of a matrix: stores it in workgroup memory, and reads this lane's element.
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
  // ap is the sum of products of a and p, and so on; `at` is that of a and s, since `as` is a reserved word.
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
