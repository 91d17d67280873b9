// dense/spmv_columns: y = A x that reads only the columns of A whose x is not 0. A is stored by column, in tiles of 64 rows. A
// workgroup lists the columns of a chunk whose x is not 0, then multiplies them; no lane waits for a column that it skips.
// Source: none, own design. Differs: nothing.
// Lanes: a multiple of 64; subgroups are not used.
// Dispatch: x = ceil(rows / 64), y = ceil(cols / PART_COLS).  Needs: nothing.  Workgroup memory: 40 B per lane.
// Provides: WORKGROUP_SIZE.

// include common/gemm_sizes.wgsl: params
// include common/workgroup_scan.wgsl: workgroup_scan

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 256u;
// Columns of a part, a multiple of 8.
override PART_COLS: u32 = 2048u;
// Chunks of a part. A chunk has 8 columns per lane.
override CHUNKS: u32 = 1u;

const TILE_ROWS = 64u;
// Lanes that share a column, with eight rows each.
const TILE_LANES = 8u;
// Columns that a lane loads before it multiplies the first of them.
const IN_FLIGHT = 8u;

// Eight rows of a column: tile t, column c, rows 64 t + 8 i .. 64 t + 8 i + 7 are element (t * cols + c) * 8 + i.
@group(0) @binding(1) var<storage, read> columns: array<vec4<u32>>;
// One value per column. The buffer ends on 16 bytes.
@group(0) @binding(2) var<storage, read> x: array<f32>;
// One sum per row, part after part.
@group(0) @binding(3) var<storage, read_write> parts: array<f32>;

// The listed columns of a chunk; at the end, the sums of all lanes.
var<workgroup> words: array<u32, 8u * WORKGROUP_SIZE>;

alias Eight = array<vec4<f32>, 2>;

fn multiply_add(sums: ptr<function, Eight>, w: vec4<u32>, factor: f32) {
  // step: product
  (*sums)[0] = fma(vec4(unpack2x16float(w.x), unpack2x16float(w.y)), vec4(factor), (*sums)[0]);
  (*sums)[1] = fma(vec4(unpack2x16float(w.z), unpack2x16float(w.w)), vec4(factor), (*sums)[1]);
}

// The mask of a lane's eight columns: bit k is set if column own + k is below end and its x is not 0.
fn listed(own: u32, end: u32) -> u32 {
  let k = vec4(0u, 1u, 2u, 3u);
  let low = vec4(x[own], x[own + 1u], x[own + 2u], x[own + 3u]);
  let high = vec4(x[own + 4u], x[own + 5u], x[own + 6u], x[own + 7u]);
  // NaN is not 0; on some devices NaN != 0.0 is false.
  let in_low = select(vec4(0u), vec4(1u) << k, !(low == vec4(0.0)) & (vec4(own) + k < vec4(end)));
  let in_high = select(vec4(0u), vec4(16u) << k, !(high == vec4(0.0)) & (vec4(own + 4u) + k < vec4(end)));
  let both = in_low | in_high;
  return both.x | both.y | both.z | both.w;
}

// Lists the columns from first on, eight per lane and below end, whose x is not 0; returns how many.
fn list_columns(first: u32, end: u32, local_index: u32) -> u32 {
  let own = first + 8u * local_index;
  let mask = listed(own, end);
  let scan = workgroup_scan(countOneBits(mask), local_index); // its barriers come after the list was last read
  var at = scan.before;
  for (var k = 0u; k < 8u; k++) {
    if (((mask >> k) & 1u) != 0u) {
      words[at] = own + k;
      at++;
    }
  }
  workgroupBarrier();
  return scan.total;
}

// One sum per row of a tile for the columns of a part.
fn multiply_part(tile: u32, part: u32, local_index: u32) {
  let begin = part * PART_COLS;
  let end = min(begin + PART_COLS, params.cols);
  // A slot is TILE_LANES lanes, which multiply the same column; the slots take the listed columns in turn.
  let slots = WORKGROUP_SIZE / TILE_LANES;
  let slot = local_index / TILE_LANES;
  let base = tile * params.cols * TILE_LANES + local_index % TILE_LANES;
  var sums = Eight();
  for (var chunk = 0u; chunk < CHUNKS; chunk++) {
    let count = list_columns(begin + chunk * 8u * WORKGROUP_SIZE, end, local_index);
    let steps = (count + slots * IN_FLIGHT - 1u) / (slots * IN_FLIGHT);
    for (var step = 0u; step < steps; step++) {
      // Past the end the last column is read again and multiplied as 0.
      let i = vec4(slot + step * slots * IN_FLIGHT) + vec4(0u, 1u, 2u, 3u) * slots;
      let j = i + 4u * slots;
      let last = vec4(count - 1u);
      let p = min(i, last);
      let q = min(j, last);
      let c0 = words[p.x];
      let c1 = words[p.y];
      let c2 = words[p.z];
      let c3 = words[p.w];
      let c4 = words[q.x];
      let c5 = words[q.y];
      let c6 = words[q.z];
      let c7 = words[q.w];
      let a0 = columns[base + c0 * TILE_LANES];
      let a1 = columns[base + c1 * TILE_LANES];
      let a2 = columns[base + c2 * TILE_LANES];
      let a3 = columns[base + c3 * TILE_LANES];
      let a4 = columns[base + c4 * TILE_LANES];
      let a5 = columns[base + c5 * TILE_LANES];
      let a6 = columns[base + c6 * TILE_LANES];
      let a7 = columns[base + c7 * TILE_LANES];
      let x0 = x[c0];
      let x1 = x[c1];
      let x2 = x[c2];
      let x3 = x[c3];
      let x4 = x[c4];
      let x5 = x[c5];
      let x6 = x[c6];
      let x7 = x[c7];
      multiply_add(&sums, inside(a0, i.x < count), select(0.0, x0, i.x < count));
      multiply_add(&sums, inside(a1, i.y < count), select(0.0, x1, i.y < count));
      multiply_add(&sums, inside(a2, i.z < count), select(0.0, x2, i.z < count));
      multiply_add(&sums, inside(a3, i.w < count), select(0.0, x3, i.w < count));
      multiply_add(&sums, inside(a4, j.x < count), select(0.0, x4, j.x < count));
      multiply_add(&sums, inside(a5, j.y < count), select(0.0, x5, j.y < count));
      multiply_add(&sums, inside(a6, j.z < count), select(0.0, x6, j.z < count));
      multiply_add(&sums, inside(a7, j.w < count), select(0.0, x7, j.w < count));
    }
  }
  store_sums(sums, tile, part, local_index);
}

// 0 for a column that is not multiplied: infinity times 0 is NaN.
fn inside(w: vec4<u32>, is_inside: bool) -> vec4<u32> {
  return select(vec4(0u), w, is_inside);
}

// Adds up the sums of the slots and stores one sum per row. Each lane first adds the sums of 8 slots, then the first 64 lanes
// add these; the order is fixed.
fn store_sums(sums: Eight, tile: u32, part: u32, local_index: u32) {
  workgroupBarrier(); // before the list is overwritten
  let low = bitcast<vec4<u32>>(sums[0]);
  let high = bitcast<vec4<u32>>(sums[1]);
  words[local_index] = low.x;
  words[WORKGROUP_SIZE + local_index] = low.y;
  words[2u * WORKGROUP_SIZE + local_index] = low.z;
  words[3u * WORKGROUP_SIZE + local_index] = low.w;
  words[4u * WORKGROUP_SIZE + local_index] = high.x;
  words[5u * WORKGROUP_SIZE + local_index] = high.y;
  words[6u * WORKGROUP_SIZE + local_index] = high.z;
  words[7u * WORKGROUP_SIZE + local_index] = high.w;
  workgroupBarrier();
  let row = local_index % TILE_ROWS;
  let first = (row % 8u) * WORKGROUP_SIZE + (local_index / TILE_ROWS) * TILE_ROWS + row / 8u;
  var sum = 0.0;
  for (var s = 0u; s < 8u; s++) {
    sum += bitcast<f32>(words[first + s * TILE_LANES]);
  }
  workgroupBarrier();
  words[local_index] = bitcast<u32>(sum);
  workgroupBarrier();
  let y_row = tile * TILE_ROWS + row;
  if (local_index >= TILE_ROWS || y_row >= params.rows) {
    return;
  }
  for (var s = TILE_ROWS; s < WORKGROUP_SIZE; s += TILE_ROWS) {
    sum += bitcast<f32>(words[s + row]);
  }
  // step: sum
  parts[part * params.rows + y_row] = sum;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(local_invocation_index) local_index: u32,
) {
  let tile = workgroup_id.x;
  if (tile * TILE_ROWS < params.rows) {
    multiply_part(tile, workgroup_id.y, local_index);
  }
}
