import indices from '../../../shaders/common/indices.wgsl';
import values from '../../../shaders/common/values.wgsl';
import spmvScalar from '../../../shaders/ell/spmv_scalar.wgsl';
import spmvSlices from '../../../shaders/ell/spmv_slices.wgsl';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import type { Choice } from '../../core/kernel/choices.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import { fitsDevice, type SpmvBuffers, spmvPlan } from '../../core/kernel/spmv-plan.ts';
import type { EllEncoded } from './layout.ts';

/** Lanes per workgroup, each with its own row. */
const LANES = 64;

/** Lanes per workgroup of the kernel whose lanes share rows, and how many share one. */
const SHARING_LANES = 256;
const LANES_PER_ROW: Choice = { kind: 'one-of', name: 'lanes per row', start: 16, values: [16, 32, 64] };

function buffers(e: EllEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows],
    arrays: [
      { name: 'values', data: e.values },
      { name: 'indices', data: e.indices },
      { name: 'counts', data: e.counts },
    ],
    xType: 'f32',
  };
}

export const kernels: readonly KernelSpec<EllEncoded>[] = [
  {
    id: 'ell/spmv_scalar',
    title: 'lane per row',
    operation: 'spmv',
    isSimple: true,
    roundings: 1,
    features: [],
    fits: (e, device) => fitsDevice(buffers(e), { lanes: LANES, memoryBytes: 0 }, device),
    choices: (_, device) => [laneChoice(LANES, device)],
    plan: (e, _device, _sizes, { lanes = LANES } = {}) =>
      spmvPlan(buffers(e), {
        files: shaderFiles(spmvScalar, [values.variants[e.valueType], indices.variants[e.indexBits]]),
        constants: { WORKGROUP_SIZE: lanes },
        workgroupCount: Math.ceil(e.rows / lanes),
      }),
  },
  {
    id: 'ell/spmv_slices',
    title: 'several lanes per row',
    operation: 'spmv',
    roundings: 1,
    features: [],
    fits: (e, device) => fitsDevice(buffers(e), { lanes: SHARING_LANES, memoryBytes: 4 * SHARING_LANES }, device),
    choices: (_, device) => [laneChoice(SHARING_LANES, device, 4), LANES_PER_ROW],
    plan: (
      e,
      _device,
      _sizes,
      { lanes = SHARING_LANES, [LANES_PER_ROW.name]: lanesPerRow = LANES_PER_ROW.start } = {},
    ) => {
      const rows = lanes / lanesPerRow;
      return spmvPlan(buffers(e), {
        files: shaderFiles(spmvSlices, [values.variants[e.valueType], indices.variants[e.indexBits]]),
        constants: { WORKGROUP_SIZE: lanes, ROWS: rows },
        workgroupCount: Math.ceil(e.rows / rows),
      });
    },
  },
];
