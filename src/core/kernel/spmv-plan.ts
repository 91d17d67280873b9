import { laneChoice, type WorkgroupNeeds } from './device-limits.ts';
import type { Admission } from '../encoded/admission.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import {
  type DeviceFacts,
  foldWorkgroups,
  type KernelPlan,
  type KernelSpec,
  type ShaderKernel,
  type PassPlan,
} from './kernel.ts';
import { input, output, type Part, partsFit, partsPlan, type StoredArrays, storedParts } from './multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from './shader.ts';

/** The buffers of y = A x: sizes, the arrays of the matrix in the order of their bindings, x, and y in f32. */
export interface SpmvBuffers {
  readonly rows: number;
  readonly cols: number;
  /** the fields of the shader's Params */
  readonly params: readonly number[];
  readonly arrays: StoredArrays;
  readonly xType: 'f32' | 'f16';
  /** arrays bound after y */
  readonly trailing?: StoredArrays;
}

function partsOf({ rows, cols, arrays, xType, trailing = [] }: SpmvBuffers): readonly Part[] {
  return [...storedParts(arrays), input('x', cols, xType), output('y', 4 * rows), ...storedParts(trailing)];
}

/**
 * Whether the device lets a kernel bind every buffer and run workgroups of this kind. The reason names the limit and
 * the need.
 */
export function fitsDevice(b: SpmvBuffers, workgroup: WorkgroupNeeds, device: DeviceFacts): Admission {
  return partsFit(partsOf(b), { ...workgroup, memoryFor: `${b.cols} columns` }, device);
}

/** The plan of a kernel that computes y = A x in one pass of `workgroupCount` workgroups. */
export function spmvPlan(
  b: SpmvBuffers,
  pass: Pick<PassPlan, 'files' | 'constants'> & { readonly workgroupCount: number },
): KernelPlan {
  const { workgroupCount, ...rest } = pass;
  const parts = partsOf(b);
  const bindings = ['params', ...parts.map(({ buffer }) => buffer.name)];
  const params = { role: 'params', name: 'params', data: Uint32Array.from(b.params) } as const;
  const passes = [{ ...rest, bindings, workgroups: foldWorkgroups(workgroupCount) }];
  return { ...partsPlan([params], parts, passes), isStoredOnce: true };
}

/** The smallest power of two that is at least `n`, and at least 1. */
export function powerOfTwoFrom(n: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, n)));
}

/** A way to distribute the rows of y = A x over lanes. */
export interface RowKernel<E extends EncodedMatrix> extends ShaderKernel {
  /** a power of two; without a trial */
  readonly lanes: number;
  /** workgroup memory */
  readonly memoryBytesPerLane: number;
  rowsPerWorkgroup(device: DeviceFacts, lanes: number): number;
  buffers(e: E): SpmvBuffers;
  /** the choices that it offers; default: none */
  pieces?(e: E): readonly ShaderModule[];
}

/** The kernel of a format whose rows are summed independently; WORKGROUP_SIZE is its only constant. */
export function rowKernel<E extends EncodedMatrix>(kernel: RowKernel<E>): KernelSpec<E> {
  const { id, title, features, lanes: start, memoryBytesPerLane } = kernel;
  return {
    id,
    title,
    operation: 'spmv',
    roundings: 1,
    features,
    fits: (e, device) =>
      fitsDevice(kernel.buffers(e), { lanes: start, memoryBytes: start * memoryBytesPerLane }, device),
    choices: (_, device) => [laneChoice(start, device, memoryBytesPerLane)],
    plan: (e, device, _, { lanes = start } = {}) =>
      spmvPlan(kernel.buffers(e), {
        files: shaderFiles(kernel.shader, kernel.pieces?.(e)),
        constants: { WORKGROUP_SIZE: lanes },
        workgroupCount: Math.ceil(e.rows / kernel.rowsPerWorkgroup(device, lanes)),
      }),
  };
}
