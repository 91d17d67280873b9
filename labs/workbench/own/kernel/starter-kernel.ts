// The starter kernel of y = A x that a user edits to write a kernel from scratch: it binds all arrays of a format, and computes
// nothing.

import type { Support } from '../../../../src/core/encoded/admission.ts';
import { type EncodedMatrix, namedArrays } from '../../../../src/core/encoded/encoded.ts';
import type { AnyFormat } from '../../../../src/core/format.ts';
import { SPMV } from '../../../../src/core/operations/index.ts';
import { fitsLimits } from '../../../../src/core/kernel/device-limits.ts';
import {
  type BufferPlan,
  type DeviceFacts,
  splitWorkgroups,
  type KernelSpec,
} from '../../../../src/core/kernel/kernel.ts';
import { declaredOverrides, rowsPerWorkgroup } from '../../../../src/core/kernel/overrides.ts';
import { scratchCard } from '../../../../src/core/scratch/card.ts';
import { starterWgsl } from './starter-wgsl.ts';

/** Storage buffers besides the arrays. The last counts the steps of loops, which are limited in a kernel's first run. */
const OTHER_BUFFERS = ['x', 'y', 'the steps of a first run'];

/**
 * The starter kernel of a format, which the user completes: its generated WGSL binds every array of the format, x and y,
 * and computes nothing yet. Its override ROWS_PER_WORKGROUP sets the number of workgroups.
 */
export function starterKernel(format: AnyFormat): KernelSpec<EncodedMatrix> {
  const card = scratchCard(format);
  const path = `${card.id}.wgsl`;
  const extraRoundings = format.kernels
    .filter(({ operation }) => operation === SPMV.id)
    .reduce((max, kernel) => Math.max(max, kernel.extraRoundings), 1);
  return {
    ...card,
    extraRoundings,
    fits: fitsStarter,
    plan(e, device) {
      const uniformValues = uniformValuesOf(e);
      const arrays = [...namedArrays(e)];
      const code = starterWgsl({
        id: card.id,
        title: format.title,
        uniformFields: Object.keys(uniformValues),
        stringParams: stringParamsOf(e),
        arrays: arrays.map(([name, data]) => ({ name, data, dtype: dtypeOf(format, e, name) })),
      });
      const buffers: readonly BufferPlan[] = [
        { role: 'params', name: 'params', data: Uint32Array.from(Object.values(uniformValues)) },
        ...arrays.map(([name, data]): BufferPlan => ({ role: 'sparse', name, data })),
        { role: 'input', name: 'x', type: 'f32' },
        { role: 'output', name: 'y', bytes: e.rows * 4 },
      ];
      const bytes = arrays.reduce((sum, [, data]) => sum + data.byteLength, 4 * (e.rows + e.cols));
      const pass = {
        files: [{ path, code }],
        constants: {},
        bindings: buffers.map(({ name }) => name),
        workgroups: [1, 1, 1], // withDeclaredDispatch sets them
      } as const;
      return { buffers, passes: [withDeclaredDispatch(pass, e, device)], bytes };
    },
    declaredPass: withDeclaredDispatch,
  };
}

type DeclaredDispatch = NonNullable<KernelSpec<EncodedMatrix>['declaredPass']>;

/**
 * The pass with the workgroups that its WGSL demands by the overrides that it declares, and with values for those of them
 * that the device sets.
 */
export const withDeclaredDispatch: DeclaredDispatch = (pass, e, device) => {
  const { path } = pass.files[pass.files.length - 1];
  const code = pass.files.map((file) => file.code).join('\n');
  const declared = new Set(declaredOverrides(code).map(({ name }) => name));
  const constants = { ...deviceOverrides(device), ...pass.constants };
  const declaredConstants = Object.fromEntries(Object.entries(constants).filter(([name]) => declared.has(name)));
  const rows = rowsPerWorkgroup(path, code, declaredConstants);
  return { ...pass, constants: declaredConstants, workgroups: splitWorkgroups(Math.ceil(e.rows / rows)) };
};

/** Values of the device, for overrides that a kernel may declare. */
function deviceOverrides({ subgroupMaxSize }: DeviceFacts): Readonly<Record<string, number>> {
  return { MAX_SUBGROUP_SIZE: Math.max(1, subgroupMaxSize) };
}

/** Whether a device can bind all arrays of a matrix together with x and y, by their number and sizes. */
export function fitsStarter(e: EncodedMatrix, device: DeviceFacts): Support {
  const arrays = [...namedArrays(e)];
  const bound = arrays.length + OTHER_BUFFERS.length;
  const max = device.limits.maxStorageBuffersPerShaderStage;
  if (bound > max) {
    return {
      ok: false,
      reason: `binds ${bound} storage buffers (${[...arrays.map(([name]) => name), ...OTHER_BUFFERS].join(', ')}), but this device has ${max} (maxStorageBuffersPerShaderStage)`,
      remedy: 'Choose another format.',
    };
  }
  const sizes = arrays.map(([name, data]) => [name, data.byteLength] as const);
  return fitsLimits([...sizes, ['x', e.cols * 4], ['y', e.rows * 4]], { lanes: 1, memoryBytes: 0 }, device);
}

/** The numbers of an encoded matrix for the uniform: rows, cols, nnz, and every other whole number of the encoding. */
function uniformValuesOf(e: EncodedMatrix): Readonly<Record<string, number>> {
  const { rows, cols, nnz } = e;
  const counts = Object.entries(e).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0,
  );
  return { rows, cols, nnz, ...Object.fromEntries(counts) };
}

/** The members of the encoding that are strings, which are parameters: 'valueType f16'. */
function stringParamsOf(e: EncodedMatrix): readonly string[] {
  return Object.entries(e).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  );
}

/** The element type of an array in the format's list of stored arrays; '' if it is not there. */
function dtypeOf(format: AnyFormat, e: EncodedMatrix, name: string): string {
  const { entries } = format.storage(e);
  return entries.find(({ array }) => array === name)?.dtype ?? '';
}
