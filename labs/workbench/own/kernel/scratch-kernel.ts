// The kernel of y = A x for a custom format with which the user begins: all arrays are bound, nothing is computed.

import type { Support } from '../../../../src/core/encoded/admission.ts';
import { type EncodedMatrix, type NamedArray, namedArrays } from '../../../../src/core/encoded/encoded.ts';
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
import { ROW_OF_LANE, ROW_OVERRIDES } from './start-text.ts';

/** Storage buffers besides the arrays. A kernel's first run has limited loops, and counts their steps in the last. */
const OTHER_BUFFERS = ['x', 'y', 'the steps of a first run'];

/**
 * A kernel of y = A x that the user completes: its generated WGSL binds every array of the format, x and y, and
 * computes nothing yet. Its override ROWS_PER_WORKGROUP sets the number of workgroups.
 */
export function scratchKernel(format: AnyFormat): KernelSpec<EncodedMatrix> {
  const card = scratchCard(format);
  const path = `${card.id}.wgsl`;
  const extraRoundings = format.kernels
    .filter(({ operation }) => operation === SPMV.id)
    .reduce((max, kernel) => Math.max(max, kernel.extraRoundings), 1);
  return {
    ...card,
    extraRoundings,
    fits: fitsScratch,
    plan(e, device) {
      const uniformValues = uniformValuesOf(e);
      const arrays = [...namedArrays(e)];
      const code = scratchText({
        id: card.id,
        title: format.title,
        uniformFields: Object.keys(uniformValues),
        textParams: textParamsOf(e),
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
        workgroups: [1, 1, 1], // withTextDispatch sets them
      } as const;
      return { buffers, passes: [withTextDispatch(pass, e, device)], bytes };
    },
    declaredPass: withTextDispatch,
  };
}

type TextDispatch = NonNullable<KernelSpec<EncodedMatrix>['declaredPass']>;

/** The pass with as many workgroups as the overrides in its WGSL demand, and the overrides that the device sets. */
export const withTextDispatch: TextDispatch = (pass, e, device) => {
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
export function fitsScratch(e: EncodedMatrix, device: DeviceFacts): Support {
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

/** The numbers of an encoded matrix for the uniform: rows, cols, nnz and the format's parameters. */
function uniformValuesOf(e: EncodedMatrix): Readonly<Record<string, number>> {
  const { rows, cols, nnz } = e;
  const counts = Object.entries(e).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0,
  );
  return { rows, cols, nnz, ...Object.fromEntries(counts) };
}

/** The format's parameters that are texts: 'valueType f16'. */
function textParamsOf(e: EncodedMatrix): readonly string[] {
  return Object.entries(e).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  );
}

/** The element type of an array in the format's list of stored arrays; '' if it is not there. */
function dtypeOf(format: AnyFormat, e: EncodedMatrix, name: string): string {
  const { entries } = format.storage(e);
  return entries.find(({ array }) => array === name)?.dtype ?? '';
}

/** The facts about a format from which the WGSL of `scratchKernel` is generated. */
interface ScratchFacts {
  readonly id: string;
  /** of the format */
  readonly title: string;
  readonly uniformFields: readonly string[];
  /** parameters that are texts: 'valueType f16' */
  readonly textParams: readonly string[];
  /** in the order of their bindings, from 1 */
  readonly arrays: readonly { readonly name: string; readonly data: NamedArray; readonly dtype: string }[];
}

/** WGSL for an array: the element type of its binding, a comment, and the function for elements that share a word. */
interface BindingText {
  readonly type: 'f32' | 'u32' | 'i32';
  readonly comment: string;
  readonly reader: string | null;
}

/** The generated WGSL: the same for all matrices of a format with equal parameters. */
function scratchText({ id, title, uniformFields, textParams, arrays }: ScratchFacts): string {
  const declared = arrays.map(({ name, data, dtype }) => ({ name, ...bindingText(name, data, dtype) }));
  const bindings = declared.flatMap(({ name, type, comment }, i) => [
    `// ${comment}`,
    `@group(0) @binding(${i + 1}) var<storage, read> ${name}: array<${type}>;`,
  ]);
  const readers = declared.flatMap(({ reader }) => (reader === null ? [] : [reader, '']));
  const paramsLine = textParams.length === 0 ? '' : `\n// The arrays are those of ${textParams.join(', ')}.`;
  const xBinding = arrays.length + 1;
  return `// ${id}: y = A x, from scratch: the arrays of ${title}, and nothing that computes yet.${paramsLine}
// Dispatch: x = ceil(rows / ROWS_PER_WORKGROUP), folded into y above 65535.

struct Params {
${uniformFields.map((name) => `  ${name}: u32,`).join('\n')}
}

@group(0) @binding(0) var<uniform> params: Params;
${bindings.join('\n')}
// One per column.
@group(0) @binding(${xBinding}) var<storage, read> x: array<f32>;
// One sum per row.
@group(0) @binding(${xBinding + 1}) var<storage, read_write> y: array<f32>;

${ROW_OVERRIDES}
${readers.map((line) => `${line}\n`).join('')}${ROW_OF_LANE}  // Here sum grows by every value of the row times its element of x.
  y[row] = sum;
}
`;
}

function bindingText(name: string, data: NamedArray, dtype: string): BindingText {
  if (data instanceof Float32Array) return { type: 'f32', comment: 'One f32 per element.', reader: null };
  if (data instanceof Int32Array) return { type: 'i32', comment: 'One i32 per element.', reader: null };
  const bits = 8 * data.BYTES_PER_ELEMENT;
  const packed = /^(\d+)-bit\b/.exec(dtype);
  // Narrow fields are packed in words of 32 bits from the low end, like bytes and halves.
  if (packed && 32 % Number(packed[1]) === 0)
    return packedArray(name, Number(packed[1]), `${packed[1]}-bit fields`, 'u32');
  if (bits === 32)
    return { type: 'u32', comment: `Words of 32 bits${dtype === 'u32' ? '' : `: ${dtype}`}.`, reader: null };
  if (dtype === 'f16' || dtype === 'bf16') return halfArray(name, dtype);
  return data instanceof Int8Array
    ? packedArray(name, bits, 'signed bytes', 'i32')
    : packedArray(name, bits, dtype || 'numbers', 'u32');
}

function halfArray(name: string, dtype: 'f16' | 'bf16'): BindingText {
  const reader =
    dtype === 'f16'
      ? `fn ${name}_at(i: u32) -> f32 {
  return unpack2x16float(${name}[i / 2u])[i % 2u];
}`
      : `fn ${name}_at(i: u32) -> f32 {
  return bitcast<f32>(extractBits(${name}[i / 2u], 16u * (i % 2u), 16u) << 16u);
}`;
  return { type: 'u32', comment: `${dtype}, two to a word, the lower half first: ${name}_at(i).`, reader };
}

/** Elements of `bits` bits, several to a word, the lowest first. */
function packedArray(name: string, bits: number, elements: string, type: 'u32' | 'i32'): BindingText {
  const perWord = 32 / bits;
  const word = type === 'u32' ? `${name}[i / ${perWord}u]` : `bitcast<i32>(${name}[i / ${perWord}u])`;
  return {
    type: 'u32',
    comment: `${elements[0].toUpperCase()}${elements.slice(1)}, ${perWord} to a word, the lowest first: ${name}_at(i).`,
    reader: `fn ${name}_at(i: u32) -> ${type} {
  return extractBits(${word}, ${bits}u * (i % ${perWord}u), ${bits}u);
}`,
  };
}
