// macko/gemm_expanded: Y = X W^T for many tokens, in two passes: W is expanded to dense, row by row, then multiplied in tiles.
// With hundreds of tokens, arithmetic needs far longer than writing and reading the dense matrix.
// Source: GEMM as in every BLAS. Differs: W comes from MACKO's arrays.

// variant expand: the cells of a row, zeros included, from its entries. A window of workgroup memory moves along the row, so
// that neighbouring lanes write neighbouring cells.
// Provides: WORKGROUP_SIZE.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 8 B per lane, 4 B * WINDOW, and 4 B.

// include common/gemm_sizes.wgsl: params
// include common/values.wgsl#f16 or #f32 or #i8 or #i4_entries: load_values
// include macko/deltas.wgsl#1 or #2 or #4 or #8: load_gaps, gap_total, gap_prefix
// include common/row_scale.wgsl#none or #at_5: row_scale
// include common/workgroup_scan.wgsl: workgroup_scan

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;
// Columns of the window, an even number.
override WINDOW: u32 = 1024u;
// 1 if cells are written in f16: for a matrix whose values are f16.
override HALVES: u32 = 0u;

// First entry of row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
// `stride` cells per row: two f16 per word, or one f32.
@group(0) @binding(4) var<storage, read_write> cells: array<u32>;

var<workgroup> window: array<f32, WINDOW>;
// The column after the last entry of the step.
var<workgroup> passed: u32;

// Stores the value of an entry in the window if the entry belongs to the row and its column, counted from the begin of the
// window, is inside.
fn keep(in_row: bool, column: u32, value: f32) {
  if (in_row && column < WINDOW) {
    window[column] = value;
  }
}

// Two values as f16 bits. WGSL leaves the result of pack2x16float for infinity to the device, so it is written as bits.
fn halves(values: vec2<f32>) -> u32 {
  let is_infinite = abs(values) > vec2(65504.0);
  let above = select(vec2(0u), vec2(1u, 0x10000u), is_infinite);
  return pack2x16float(select(values, sign(values) * 65504.0, is_infinite)) + above.x + above.y;
}

// Writes the cells of the window, which begins at column `first`, and fills the window with zeros.
fn write_window(row: u32, first: u32, lane: u32) {
  workgroupBarrier();
  let count = min(WINDOW, params.stride - first);
  let at = row * params.stride + first;
  if (HALVES != 0u) {
    for (var i = lane; i < count / 2u; i += WORKGROUP_SIZE) {
      cells[at / 2u + i] = halves(vec2(window[2u * i], window[2u * i + 1u]));
      window[2u * i] = 0.0;
      window[2u * i + 1u] = 0.0;
    }
  } else {
    for (var i = lane; i < count; i += WORKGROUP_SIZE) {
      cells[at + i] = bitcast<u32>(window[i]);
      window[i] = 0.0;
    }
  }
  workgroupBarrier();
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
  @builtin(workgroup_id) workgroup_id: vec3<u32>,
  @builtin(num_workgroups) workgroups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = workgroup_id.x + workgroup_id.y * workgroups.x;
  if (row >= params.rows) {
    return;
  }
  let begin = indptr[row];
  let end = indptr[row + 1u];
  let scale = row_scale(row);
  var walked = 0u; // the sum of the stored gaps of the steps before
  var written = 0u; // columns that are written, and so the column at which the window begins
  for (var first = begin / 8u; 8u * first < end; first += WORKGROUP_SIZE) {
    let group = first + lane;
    let foreign = select(0u, begin - 8u * group, 8u * group < begin);
    let values = load_values(group);
    let gaps = load_gaps(group, foreign);
    let scan = workgroup_scan(gap_total(gaps), lane);
    let base = walked + scan.before + 8u * group - begin;
    walked += scan.total;
    let prefix = gap_prefix(gaps);
    let low = prefix.low + base;
    let high = prefix.high + base;
    // Entries of the group before the end of the row; entries of the rows before count, too.
    let count = min(8u, max(end, 8u * group) - 8u * group);
    // The last entry of the step is the last one of the last lane, or the last one of the row.
    if (count > 0u && (lane == WORKGROUP_SIZE - 1u || 8u * group + count == end)) {
      let columns = array(low, high);
      passed = columns[(count - 1u) >> 2u][(count - 1u) & 3u] + 1u;
    }
    let end_column = workgroupUniformLoad(&passed);
    loop {
      // Unrolled, since a variable index would move the columns from registers to memory. Entries of the row before have
      // columns below 0, which are huge as u32 and so outside the window.
      keep(count > 0u, low.x - written, scale * values.low.x);
      keep(count > 1u, low.y - written, scale * values.low.y);
      keep(count > 2u, low.z - written, scale * values.low.z);
      keep(count > 3u, low.w - written, scale * values.low.w);
      keep(count > 4u, high.x - written, scale * values.high.x);
      keep(count > 5u, high.y - written, scale * values.high.y);
      keep(count > 6u, high.z - written, scale * values.high.z);
      keep(count > 7u, high.w - written, scale * values.high.w);
      if (end_column <= written + WINDOW) {
        break;
      }
      write_window(row, written, lane);
      written += WINDOW;
    }
  }
  for (; written < params.stride; written += WINDOW) {
    write_window(row, written, lane);
  }
}

// variant product: tiles of Y from the cells, sums in f32.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Provides: finish_four.

// include common/gemm_main.wgsl: main
// include common/gemm.wgsl: TILE_M, TILE_N, LANES, multiply_tile, store_tile
// include common/gemm_arithmetic.wgsl#f32: Words, Sums, multiply_add
// include common/gemm_sizes.wgsl: params
// include common/gemm_activations.wgsl: line_of_a, load_a
// include common/gemm_rows.wgsl: load_b
// include common/gemm_store.wgsl#fours or #ones: store_four

fn finish_four(token: u32, row: u32, sums: Sums) {
  store_four(token, row, sums);
}
