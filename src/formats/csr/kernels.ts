import indices from '../../../shaders/common/indices.wgsl';
import values from '../../../shaders/common/values.wgsl';
import spmvScalar from '../../../shaders/csr/spmv_scalar.wgsl';
import spmvStaged from '../../../shaders/csr/spmv_staged.wgsl';
import spmvByRow from '../../../shaders/csr/spmv_by_row.wgsl';
import { shareChoices, stagedShares, withEqualShares } from '../../core/kernel/equal-shares.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { storedArrays } from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { byRowKernels, fitsDevice, rowKernel, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import type { CsrEncoded } from './layout.ts';
import gemmByRow from '../../../shaders/csr/gemm_by_row.wgsl';
import gemmShares from '../../../shaders/csr/gemm_shares.wgsl';
import { FOUR_SUMS_BYTES, tokenQuadsKernels } from '../../core/kernel/token-quads-plan.ts';
import { tokenSharesKernels } from '../../core/kernel/token-shares-plan.ts';
import { panelColsOf, type PanelSplits } from '../../core/kernel/panel-shares.ts';

/**
 * The entry at which each row begins in each of `panels` panels (strips of neighbouring columns). CSR stores column
 * numbers, so the offset to the column in a panel is minus the panel's first column.
 * O(panels * rows * log entries of a row).
 */
export function panelSplits({ rows, cols, indices, indptr }: CsrEncoded, panels: number): PanelSplits {
  const panelCols = panelColsOf(cols, panels);
  const starts = new Uint32Array((panels + 1) * rows);
  const columnOffsets = new Uint32Array(panels * rows);
  for (let panel = 0; panel < panels; panel++) columnOffsets.fill(-panel * panelCols, panel * rows, (panel + 1) * rows);
  for (let row = 0; row < rows; row++) {
    let entry = indptr[row];
    for (let panel = 0; panel < panels; panel++) {
      entry = firstFrom(indices, entry, indptr[row + 1], panel * panelCols);
      starts[panel * rows + row] = entry;
    }
    starts[panels * rows + row] = indptr[row + 1];
  }
  return { rows, panels, panelCols, starts, columnOffsets };
}

/** The first entry in [begin, end) whose column is at least `column`; `end` if there is none. */
function firstFrom(indices: CsrEncoded['indices'], begin: number, end: number, column: number): number {
  let low = begin;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (indices[middle] < column) low = middle + 1;
    else high = middle;
  }
  return low;
}

function buffers(e: CsrEncoded, indptr = e.indptr): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows],
    arrays: storedArrays({ ...e, indptr }, ['data', 'indices', 'indptr']),
    xType: 'f32',
  };
}

/** The shader modules that read values and columns of this matrix. */
function piecesOf(e: CsrEncoded): readonly ShaderModule[] {
  return [values.variants[e.valueType], indices.variants[e.indexBits]];
}

/** y = A x; every subgroup gets equally many entries, instead of rows. */
const stagedKernel: KernelSpec<CsrEncoded> = {
  id: 'csr/spmv_staged',
  title: 'equal shares, x in workgroup memory',
  operation: 'spmv',
  extraRoundings: 1,
  features: ['subgroups'],
  fits: (e, device) => fitsDevice(buffers(e), stagedShares(e.cols, 'f32', device), device),
  choices: (_, device) => shareChoices(device),
  plan(e, device, _, chosen) {
    const { counts, constants } = stagedShares(e.cols, 'f32', device, chosen);
    return spmvPlan(buffers(e, withEqualShares(e.indptr, counts)), {
      files: shaderFiles(spmvStaged, piecesOf(e)),
      constants,
      workgroupCount: counts.workgroups,
    });
  },
};

/** The WebGPU kernels of CSR, for y = A x and for Y = X Aᵀ with up to 16 tokens. */
export const kernels: readonly KernelSpec<CsrEncoded>[] = [
  stagedKernel,
  ...byRowKernels('csr', spmvByRow, { buffers: (e: CsrEncoded) => buffers(e), pieces: piecesOf }),
  rowKernel({
    id: 'csr/spmv_scalar',
    title: 'lane per row',
    features: [],
    shader: spmvScalar,
    lanes: 64,
    memoryBytesPerLane: 0,
    rowsPerWorkgroup: (_, lanes) => lanes,
    buffers: (e) => buffers(e),
    pieces: piecesOf,
  }),
  ...tokenSharesKernels('csr', {
    shader: gemmShares,
    pieces: piecesOf,
    arrays: (e) => buffers(e).arrays.slice(0, 2),
    splits: panelSplits,
    // The sum of column gaps before an entry: 0, since CSR stores columns instead of gaps.
    passed: () => 0,
  }),
  ...tokenQuadsKernels('csr', ['f32', 'f16'], {
    shader: gemmByRow,
    bytesPerLane: FOUR_SUMS_BYTES,
    pieces: piecesOf,
    arrays: (e) => buffers(e).arrays,
  }),
];
