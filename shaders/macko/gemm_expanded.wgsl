// macko/gemm_expanded: Y = X W^T for many tokens, in two passes: W is written out with its zeros, row by row, and multiplied as
// a dense matrix. With hundreds of tokens arithmetic takes far longer than the matrix does on its way to memory and back.
// Source: GEMM as in every BLAS. Differs: W comes from MACKO's arrays.

// variant expand: cells of a row, zeros among them, from its entries. Every step fills a stretch of the row, in windows of
// workgroup memory, so that neighbouring lanes write neighbouring cells.
// Gives: WORKGROUP_SIZE.
// Lanes: any; subgroups are not used.
// Dispatch: x = rows, folded into y above 65535.  Needs: nothing.  Workgroup memory: 8 B per lane, 4 B * WINDOW, and 4 B.

// include common/gemm_sizes.wgsl: params
// include common/values.wgsl#f16 or #f32 or #i8: load_values
// include macko/deltas.wgsl#1 or #2 or #4 or #8: load_gaps, gap_total, gap_prefix
// include common/row_scale.wgsl#none or #at_5: row_scale
// include common/workgroup_scan.wgsl: workgroup_scan

// Lanes per workgroup.
override WORKGROUP_SIZE: u32 = 64u;
// Columns that workgroup memory holds.
override WINDOW: u32 = 1024u;

// First entry of row i; rows + 1 of them.
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
// `stride` a row.
@group(0) @binding(4) var<storage, read_write> cells: array<f32>;

var<workgroup> window: array<f32, WINDOW>;
// The column behind the last entry of the step.
var<workgroup> passed: u32;

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
  var walked = 0u; // stored gaps of the steps before
  var written = 0u; // columns that are
  for (var first = begin / 8u; 8u * first < end; first += WORKGROUP_SIZE) {
    let group = first + lane;
    let foreign = select(0u, begin - 8u * group, 8u * group < begin);
    let values = load_values(group);
    let gaps = load_gaps(group, foreign);
    let scan = workgroup_scan(gap_total(gaps), lane);
    let base = walked + scan.before + 8u * group - begin;
    walked += scan.total;
    let prefix = gap_prefix(gaps);
    let columns = array(prefix.low + base, prefix.high + base);
    let scaled = array(scale * values.low, scale * values.high);
    let past = min(8u, max(end, 8u * group) - 8u * group); // entries of the group up to the end of the row
    // The last entry of the step is its own last, or the last of the row.
    if (past > 0u && (lane == WORKGROUP_SIZE - 1u || 8u * group + past == end)) {
      passed = columns[(past - 1u) >> 2u][(past - 1u) & 3u] + 1u;
    }
    let to = workgroupUniformLoad(&passed);
    for (; written < to; written += WINDOW) {
      for (var i = lane; i < WINDOW; i += WORKGROUP_SIZE) {
        window[i] = 0.0;
      }
      workgroupBarrier();
      for (var k = foreign; k < past; k++) {
        let i = columns[k >> 2u][k & 3u] - written;
        if (i < WINDOW) {
          window[i] = scaled[k >> 2u][k & 3u];
        }
      }
      workgroupBarrier();
      for (var i = lane; i < min(WINDOW, to - written); i += WORKGROUP_SIZE) {
        cells[row * params.stride + written + i] = window[i];
      }
      workgroupBarrier();
    }
    written = to;
  }
  for (var column = written + lane; column < params.stride; column += WORKGROUP_SIZE) {
    cells[row * params.stride + column] = 0.0;
  }
}

// variant product: tiles of Y from the cells, sums in f32.
// Lanes: any; subgroups are not used.
// Dispatch: x = ceil(rows / TILE_N), y = ceil(tokens / TILE_M).  Needs: nothing.  Workgroup memory: 4 B * TILE_K * (TILE_M + TILE_N).
// Gives: finish_four.

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
