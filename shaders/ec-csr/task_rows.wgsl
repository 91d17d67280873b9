// ec-csr/task_rows: the part of one lane of 32 in the sums of the rows of a task's block, for deltas of eight bits, values of
// f16 and segments of four columns per lane.
// Provides: Task, task_of, task_sum_1, task_sums_2, task_sums_4, task_sums_8.
//
// A task contains the positions at which the arrays of its block begin, so that they need not be looked up. The order of loads
// and loops is from a prototype; the loops of ec-csr/rows_1 to rows_8 do not become faster with it
// (docs/performance-lessons.md).
//
// Padding is a column of zeros. Where all values of a column are 0, x is not multiplied: it may be Inf or NaN.

// include ec-csr/bases.wgsl#16: base_at
// include ec-csr/x.wgsl#in_eights or #cached: x_at

// Eight values per element. The buffer ends on 16 bytes.
@group(0) @binding(1) var<storage, read> values: array<vec4<u32>>;
// Four deltas per element; a set begins with a new element.
@group(0) @binding(2) var<storage, read> deltaIndices: array<u32>;
// The same buffer as values with four values per element.
@group(0) @binding(4) var<storage, read> values_by_four: array<vec2<u32>>;

// Segments of blocks of one and of two rows that are in flight together: 1, 2 or 4.
override SEGMENTS: u32 = 1u;

struct Task {
  deltas_at: u32, // its first four deltas
  fours_at: u32, // its first element of values_by_four; half of that is its first element of values
  bases_at: u32, // the base of its first lane
  columns: u32, // columns of each lane; 0 past the last task
  kind: u32, // 0, 1, 2 or 3 for one, two, four or eight rows
  first: u32, // its first row among the rows of its workgroup's tasks
}

fn task_of(words: vec4<u32>) -> Task {
  return Task(words.x, words.y, words.z, words.w & 0x3fffu, (words.w >> 14u) & 3u, words.w >> 16u);
}

// The sum of the first `count` of four deltas, 1 to 4.
fn sum_of_four(deltas: u32, count: u32) -> u32 {
  return dot4U8Packed(deltas, 0x01010101u >> (32u - 8u * count));
}

// The columns of four entries: `column`, the column of the entry before, plus the prefix sums of four deltas. `column` becomes
// the last of them.
fn columns_behind(deltas: u32, column: ptr<function, u32>) -> vec4<u32> {
  let a = *column + (deltas & 255u);
  let b = a + ((deltas >> 8u) & 255u);
  let c = b + ((deltas >> 16u) & 255u);
  let d = c + (deltas >> 24u);
  *column = d;
  return vec4(a, b, c, d);
}

// The position, among all columns of the block, of a lane's column i, if it is behind the whole segments.
fn place_behind(i: u32, lane: u32) -> u32 {
  return i * 32u + lane;
}

// The delta of a column behind the whole segments, at this position.
fn delta_behind(task: Task, place: u32) -> u32 {
  return (deltaIndices[task.deltas_at + place / 4u] >> (8u * (place & 3u))) & 255u;
}

// One row: the stored deltas and values of four columns.
struct Four {
  deltas: u32,
  values: vec2<u32>,
}

fn load_four(task: Task, segment: u32, lane: u32) -> Four {
  return Four(
    deltaIndices[task.deltas_at + segment * 32u + lane],
    values_by_four[task.fours_at + segment * 32u + lane],
  );
}

fn products_of_four(four: Four, column: ptr<function, u32>) -> f32 {
  let columns = columns_behind(four.deltas, column);
  let v = vec4(unpack2x16float(four.values.x), unpack2x16float(four.values.y));
  // step: gather
  return dot(v, select(vec4(x_at(columns.x), x_at(columns.y), x_at(columns.z), x_at(columns.w)), vec4(0.0), v == vec4(0.0)));
}

// One row: a column behind the segments. It is loaded with its neighbours, as four deltas and two values.
struct Single {
  deltas: u32,
  values: u32,
}

fn load_single(task: Task, place: u32, is_there: bool) -> Single {
  var single = Single(0u, 0u);
  if (is_there) {
    single.deltas = deltaIndices[task.deltas_at + place / 4u];
    single.values = values_by_four[task.fours_at + place / 4u][(place / 2u) & 1u];
  }
  return single;
}

fn product_of_single(single: Single, lane: u32, column: ptr<function, u32>) -> f32 {
  *column += (single.deltas >> (8u * (lane & 3u))) & 255u;
  let pair = unpack2x16float(single.values);
  let value = select(pair.x, pair.y, (lane & 1u) == 1u);
  return value * select(x_at(*column), 0.0, value == 0.0);
}

// This lane's part of a block of one row.
fn task_sum_1(task: Task, lane: u32) -> f32 {
  let segments = task.columns / 4u;
  var column = base_at(task.bases_at + lane);
  var sum = 0.0;
  // Up to three columns are left behind the segments. They are loaded first.
  let left = task.columns - 4u * segments;
  let single_a = load_single(task, 128u * segments + lane, left > 0u);
  let single_b = load_single(task, 128u * segments + 32u + lane, left > 1u);
  let single_c = load_single(task, 128u * segments + 64u + lane, left > 2u);
  for (var s = 0u; s < segments; s += SEGMENTS) {
    // Past the last segment, the last one is loaded again; its products are not added.
    let last = max(segments, 1u) - 1u;
    let a = load_four(task, min(s, last), lane);
    var b = a;
    var c = a;
    var d = a;
    if (SEGMENTS > 1u) {
      b = load_four(task, min(s + 1u, last), lane);
    }
    if (SEGMENTS > 2u) {
      c = load_four(task, min(s + 2u, last), lane);
      d = load_four(task, min(s + 3u, last), lane);
    }
    sum += products_of_four(a, &column);
    if (SEGMENTS > 1u && s + 1u < segments) { sum += products_of_four(b, &column); }
    if (SEGMENTS > 2u && s + 2u < segments) { sum += products_of_four(c, &column); }
    if (SEGMENTS > 2u && s + 3u < segments) { sum += products_of_four(d, &column); }
  }
  if (left > 0u) { sum += product_of_single(single_a, lane, &column); }
  if (left > 1u) { sum += product_of_single(single_b, lane, &column); }
  if (left > 2u) { sum += product_of_single(single_c, lane, &column); }
  return sum;
}

// Two rows: the stored deltas and pairs of values of four columns.
struct FourPairs {
  deltas: u32,
  values: vec4<u32>,
}

fn load_pairs(task: Task, segment: u32, lane: u32) -> FourPairs {
  return FourPairs(
    deltaIndices[task.deltas_at + 32u * segment + lane],
    values[task.fours_at / 2u + 32u * segment + lane],
  );
}

fn products_of_pairs(pairs: FourPairs, column: ptr<function, u32>) -> vec2<f32> {
  let columns = columns_behind(pairs.deltas, column);
  let v = pairs.values;
  let low = select(0.0, x_at(columns.x), v.x != 0u) * unpack2x16float(v.x)
    + select(0.0, x_at(columns.y), v.y != 0u) * unpack2x16float(v.y);
  let high = select(0.0, x_at(columns.z), v.z != 0u) * unpack2x16float(v.z)
    + select(0.0, x_at(columns.w), v.w != 0u) * unpack2x16float(v.w);
  return low + high;
}

// This lane's part of a block of two rows.
fn task_sums_2(task: Task, lane: u32) -> vec2<f32> {
  let segments = task.columns / 4u;
  var column = base_at(task.bases_at + lane);
  var sums = vec2(0.0);
  for (var s = 0u; s < segments; s += SEGMENTS) {
    let last = segments - 1u;
    let a = load_pairs(task, min(s, last), lane);
    var b = a;
    var c = a;
    var d = a;
    if (SEGMENTS > 1u) {
      b = load_pairs(task, min(s + 1u, last), lane);
    }
    if (SEGMENTS > 2u) {
      c = load_pairs(task, min(s + 2u, last), lane);
      d = load_pairs(task, min(s + 3u, last), lane);
    }
    sums += products_of_pairs(a, &column);
    if (SEGMENTS > 1u && s + 1u < segments) { sums += products_of_pairs(b, &column); }
    if (SEGMENTS > 2u && s + 2u < segments) { sums += products_of_pairs(c, &column); }
    if (SEGMENTS > 2u && s + 3u < segments) { sums += products_of_pairs(d, &column); }
  }
  for (var i = 4u * segments; i < task.columns; i++) {
    let place = place_behind(i, lane);
    column += delta_behind(task, place);
    let pair = values_by_four[task.fours_at + place / 2u][place & 1u];
    sums += select(0.0, x_at(column), pair != 0u) * unpack2x16float(pair);
  }
  return sums;
}

// Four rows: the products of one column.
fn products_of_column(v: vec2<u32>, column: u32) -> vec4<f32> {
  return select(0.0, x_at(column), (v.x | v.y) != 0u) * vec4(unpack2x16float(v.x), unpack2x16float(v.y));
}

// This lane's part of a block of four rows.
fn task_sums_4(task: Task, lane: u32) -> vec4<f32> {
  let segments = task.columns / 4u;
  var column = base_at(task.bases_at + lane);
  var sums = vec4(0.0);
  for (var s = 0u; s < segments; s++) {
    let deltas = deltaIndices[task.deltas_at + 32u * s + lane];
    let ab = values[task.fours_at / 2u + 64u * s + 2u * lane];
    let cd = values[task.fours_at / 2u + 64u * s + 2u * lane + 1u];
    let columns = columns_behind(deltas, &column);
    sums += products_of_column(ab.xy, columns.x);
    sums += products_of_column(ab.zw, columns.y);
    sums += products_of_column(cd.xy, columns.z);
    sums += products_of_column(cd.zw, columns.w);
  }
  for (var i = 4u * segments; i < task.columns; i++) {
    let place = place_behind(i, lane);
    column += delta_behind(task, place);
    sums += products_of_column(values_by_four[task.fours_at + place], column);
  }
  return sums;
}

// Eight rows: adds the products of one column, for rows 0 to 3 (`low`) and rows 4 to 7 (`high`).
fn add_column(v: vec4<u32>, gathered: f32, low: ptr<function, vec4<f32>>, high: ptr<function, vec4<f32>>) {
  let factor = vec4(select(0.0, gathered, (v.x | v.y | v.z | v.w) != 0u));
  *low = fma(vec4(unpack2x16float(v.x), unpack2x16float(v.y)), factor, *low);
  *high = fma(vec4(unpack2x16float(v.z), unpack2x16float(v.w)), factor, *high);
}

// Eight rows: half of a segment of 128 columns, that is two columns of this lane. Lanes take columns in the order of memory,
// so that they load neighbouring elements (as in ec-csr/rows_8); four lanes share a chain of deltas.
struct Half {
  deltas_a: u32,
  deltas_b: u32,
  a: vec4<u32>,
  b: vec4<u32>,
}

fn load_half(deltas_at: u32, eights_at: u32, half: u32, lane: u32) -> Half {
  let word = deltas_at + lane / 4u + 16u * half;
  let eight = eights_at + lane + 64u * half;
  return Half(deltaIndices[word], deltaIndices[word + 8u], values[eight], values[eight + 32u]);
}

fn add_half(
  half: Half,
  count: u32,
  columns: ptr<function, vec2<u32>>,
  low: ptr<function, vec4<f32>>,
  high: ptr<function, vec4<f32>>,
) {
  let a = x_at((*columns).x + sum_of_four(half.deltas_a, count));
  let b = x_at((*columns).y + sum_of_four(half.deltas_b, count));
  *columns += vec2(sum_of_four(half.deltas_a, 4u), sum_of_four(half.deltas_b, 4u));
  add_column(half.a, a, low, high);
  add_column(half.b, b, low, high);
}

// This lane's part of a block of eight rows: rows 0 to 3, and rows 4 to 7. The block has at least one segment and no other
// columns.
fn task_sums_8(task: Task, lane: u32) -> mat2x4<f32> {
  let bases = task.bases_at + lane / 4u;
  var columns_ab = vec2(base_at(bases), base_at(bases + 8u));
  var columns_cd = vec2(base_at(bases + 16u), base_at(bases + 24u));
  var low = vec4(0.0);
  var high = vec4(0.0);
  let count = lane % 4u + 1u;
  let segments = task.columns / 4u;
  let eights_at = task.fours_at / 2u;
  // The next half is loaded while the current one is computed. After the last segment, its first half is loaded again.
  var ab = load_half(task.deltas_at, eights_at, 0u, lane);
  for (var s = 0u; s < segments; s++) {
    let cd = load_half(task.deltas_at + 32u * s, eights_at + 128u * s, 1u, lane);
    add_half(ab, count, &columns_ab, &low, &high);
    let next = min(s + 1u, segments - 1u);
    ab = load_half(task.deltas_at + 32u * next, eights_at + 128u * next, 0u, lane);
    add_half(cd, count, &columns_cd, &low, &high);
  }
  return mat2x4(low, high);
}
