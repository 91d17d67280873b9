import { fitsLimits, laneChoice, type WorkgroupNeeds } from './device-limits.ts';
import { type Support, SUPPORTED } from '../encoded/admission.ts';
import type { Choice, Chosen } from './choices.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import {
  type DeviceFacts,
  splitWorkgroups,
  type KernelPlan,
  type KernelSpec,
  type ShaderKernel,
  type PassPlan,
} from './kernel.ts';
import { input, output, type Part, partsFit, partsPlan, type StoredArrays, storedParts } from './multi-pass-plan.ts';
import { shaderFiles, type ShaderModule, type ShaderSource } from './shader.ts';

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

/** Whether the device lets a kernel bind every buffer and run such workgroups; if not, the limit and the need. */
export function fitsDevice(b: SpmvBuffers, workgroup: WorkgroupNeeds, device: DeviceFacts): Support {
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
  const passes = [{ ...rest, bindings, workgroups: splitWorkgroups(workgroupCount) }];
  return { ...partsPlan([params], parts, passes), isStoredOnce: true };
}

/** The smallest power of two that is at least `n`, and at least 1. */
export function nextPowerOfTwo(n: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, n)));
}

/** The parts of a kernel of y = A x from which `rowKernel` makes the kernel: shader, workgroups and buffers. */
export interface RowKernelOptions<E extends EncodedMatrix>
  extends ShaderKernel, Partial<Pick<KernelSpec<E>, 'extraRoundings' | 'isSimple' | 'storesZeros'>> {
  /** lanes of a workgroup, a power of two; a timing trial may choose another number */
  readonly lanes: number | ((e: E, device: DeviceFacts) => number);
  /** workgroup memory */
  readonly memoryBytesPerLane: number | ((e: E) => number);
  /** choices of a timing trial other than the lanes; default: none */
  readonly choices?: readonly Choice[];
  rowsPerWorkgroup(device: DeviceFacts, lanes: number, e: E, chosen: Chosen): number;
  buffers(e: E): SpmvBuffers;
  /** an array that `plan` derives from stored ones: all buffers with it, and its name and size; default: none */
  readonly derivedArray?: {
    buffers(e: E): SpmvBuffers;
    bytes(e: E): readonly [name: string, bytes: number];
  };
  /** the chosen file for each include line of the shader that offers several (`shaderFiles`); default: none */
  pieces?(e: E): readonly ShaderModule[];
  /** overrides of the shader besides WORKGROUP_SIZE; default: none */
  constants?(e: E, lanes: number, device: DeviceFacts, chosen: Chosen): Readonly<Record<string, number>>;
}

/** A kernel of y = A x in which every workgroup computes whole rows. */
export function rowKernel<E extends EncodedMatrix>(kernel: RowKernelOptions<E>): KernelSpec<E> {
  const { shader, lanes, choices = [], rowsPerWorkgroup, buffers, derivedArray, pieces, constants, ...rest } = kernel;
  const { memoryBytesPerLane, ...spec } = rest;
  const defaultLanes = (e: E, device: DeviceFacts): number => (typeof lanes === 'number' ? lanes : lanes(e, device));
  const bytesPerLane = (e: E): number =>
    typeof memoryBytesPerLane === 'number' ? memoryBytesPerLane : memoryBytesPerLane(e);
  return {
    operation: 'spmv',
    extraRoundings: 1,
    ...spec,
    fits(e, device) {
      const laneCount = defaultLanes(e, device);
      const needs = { lanes: laneCount, memoryBytes: laneCount * bytesPerLane(e) };
      const derivedFits = derivedArray ? fitsLimits([derivedArray.bytes(e)], needs, device) : SUPPORTED;
      return derivedFits.ok ? fitsDevice(buffers(e), needs, device) : derivedFits;
    },
    choices: (e, device) => [laneChoice(defaultLanes(e, device), device, bytesPerLane(e)), ...choices],
    plan(e, device, _, chosen = {}) {
      const laneCount = chosen.lanes ?? defaultLanes(e, device);
      return spmvPlan((derivedArray?.buffers ?? buffers)(e), {
        files: shaderFiles(shader, pieces?.(e)),
        constants: { WORKGROUP_SIZE: laneCount, ...constants?.(e, laneCount, device, chosen) },
        workgroupCount: Math.ceil(e.rows / rowsPerWorkgroup(device, laneCount, e, chosen)),
      });
    },
  };
}

/** Two kernels of a format, with a subgroup and with a workgroup for each row: the variants of `shader`. */
export function byRowKernels<E extends EncodedMatrix>(
  format: string,
  shader: ShaderSource,
  kernel: Pick<RowKernelOptions<E>, 'extraRoundings' | 'choices' | 'buffers' | 'derivedArray' | 'pieces' | 'constants'>,
): readonly KernelSpec<E>[] {
  return [
    rowKernel({
      ...kernel,
      id: `${format}/spmv_subgroup`,
      title: 'subgroup per row',
      features: ['subgroups'],
      shader: shader.variants.subgroup,
      lanes: 128,
      memoryBytesPerLane: 0,
      rowsPerWorkgroup: (device, lanes) => lanes / device.subgroupMaxSize,
    }),
    rowKernel({
      ...kernel,
      id: `${format}/spmv_workgroup`,
      title: 'workgroup per row, without subgroups',
      features: [],
      shader: shader.variants.workgroup,
      lanes: 64,
      memoryBytesPerLane: 4,
      rowsPerWorkgroup: () => 1,
    }),
  ];
}
