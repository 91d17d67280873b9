import { type EncodedMatrix, namedArrays } from '../encoded/encoded.ts';
import { laneChoice } from '../kernel/device-limits.ts';
import type { KernelSpec } from '../kernel/kernel.ts';
import { type ShaderModule, shaderFiles } from '../kernel/shader.ts';
import { fitsDevice, type SpmvBuffers, spmvPlan } from '../kernel/spmv-plan.ts';
import { arraysText, declaredInputs } from './accessors.ts';
import { type AnyDeclaration, arraysOf, elementCount } from './derive.ts';

const LANES = 64;

/** A kernel of y = A x with a lane for each row: `shader` after generated WGSL that reads the arrays in `d`. */
export function scalarKernel(
  d: AnyDeclaration & { readonly title: string },
  shader: ShaderModule,
): KernelSpec<EncodedMatrix> {
  const buffersOf = (e: EncodedMatrix): SpmvBuffers => {
    const memory = namedArrays(e);
    const arrays = arraysOf(d, e, e);
    return {
      rows: e.rows,
      cols: e.cols,
      params: [e.rows, e.cols, e.nnz, ...arrays.map((array) => elementCount(array, e))],
      arrays: arrays.map(({ name }) => ({ name, data: memory.get(name) ?? new Uint8Array(0) })),
      xType: 'f32',
    };
  };
  return {
    id: `${d.id}/spmv_scalar`,
    title: 'lane per row',
    operation: 'spmv',
    extraRoundings: 1, // of each product
    features: [],
    isSimple: true,
    fits: (e, device) => fitsDevice(buffersOf(e), { lanes: LANES, memoryBytes: 0 }, device),
    choices: (_, device) => [laneChoice(LANES, device, 0)],
    plan(e, _device, _sizes, { lanes = LANES } = {}) {
      const arrays = arraysOf(d, e, e).map(({ name, element, role }) => ({ name, type: element, byteClass: role }));
      return spmvPlan(buffersOf(e), {
        files: [
          { path: `${d.id}/arrays.wgsl`, code: arraysText(d.title, declaredInputs(arrays, {})) },
          ...shaderFiles(shader),
        ],
        constants: { WORKGROUP_SIZE: lanes },
        workgroupCount: Math.ceil(e.rows / lanes),
      });
    },
  };
}
