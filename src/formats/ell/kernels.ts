import indices from '../../../shaders/common/indices.wgsl';
import values from '../../../shaders/common/values.wgsl';
import spmvScalar from '../../../shaders/ell/spmv_scalar.wgsl';
import spmvSlices from '../../../shaders/ell/spmv_slices.wgsl';
import type { Choice, Chosen } from '../../core/kernel/choices.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { storedArrays } from '../../core/kernel/multi-pass-plan.ts';
import type { ShaderModule } from '../../core/kernel/shader.ts';
import { rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import type { EllEncoded } from './layout.ts';

/** How many lanes share a row in 'ell/spmv_slices'. */
const LANES_PER_ROW: Choice = { kind: 'one-of', name: 'lanes per row', start: 16, values: [16, 32, 64] };

/** Rows of a workgroup in 'ell/spmv_slices'. */
const rowsOf = (lanes: number, { [LANES_PER_ROW.name]: perRow = LANES_PER_ROW.start }: Chosen): number =>
  lanes / perRow;

function buffers(e: EllEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows],
    arrays: storedArrays(e, ['values', 'indices', 'counts']),
    xType: 'f32',
  };
}

/** The shader modules that read values and columns of this matrix. */
const piecesOf = (e: EllEncoded): readonly ShaderModule[] => [
  values.variants[e.valueType],
  indices.variants[e.indexBits],
];

/** The WebGPU kernels of ELL, for y = A x. */
export const kernels: readonly KernelSpec<EllEncoded>[] = [
  rowKernel({
    id: 'ell/spmv_scalar',
    title: 'lane per row',
    isSimple: true,
    features: [],
    shader: spmvScalar,
    lanes: 64,
    memoryBytesPerLane: 0,
    rowsPerWorkgroup: (_, lanes) => lanes,
    buffers,
    pieces: piecesOf,
  }),
  rowKernel({
    id: 'ell/spmv_slices',
    title: 'several lanes per row',
    features: [],
    shader: spmvSlices,
    lanes: 256,
    memoryBytesPerLane: 4,
    choices: [LANES_PER_ROW],
    rowsPerWorkgroup: (_device, lanes, _e, chosen) => rowsOf(lanes, chosen),
    buffers,
    pieces: piecesOf,
    constants: (_e, lanes, _device, chosen) => ({ ROWS: rowsOf(lanes, chosen) }),
  }),
];
