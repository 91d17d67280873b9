import type { Admission } from '../encoded/admission.ts';
import { type EncodedMatrix, namedArrays } from '../encoded/encoded.ts';
import type { AnyFormat } from '../format.ts';
import { SPMV } from '../operations/index.ts';
import { fitsLimits } from '../kernel/device-limits.ts';
import { type BufferPlan, type DeviceFacts, foldWorkgroups, type KernelSpec } from '../kernel/kernel.ts';
import { declaredOverrides, rowsPerWorkgroup } from '../kernel/overrides.ts';
import { scratchCard } from './card.ts';
import { scratchText } from './text.ts';

/** Besides the arrays: the budget of a first run uses one more storage buffer. */
const OTHER_BUFFERS = ['x', 'y', 'the steps of a first run'];

/**
 * The starting point of a kernel from scratch: it binds every array of the format, x and y, computes nothing, and is
 * dispatched by its override ROWS_PER_WORKGROUP.
 */
export function scratchKernel(format: AnyFormat): KernelSpec<EncodedMatrix> {
  const card = scratchCard(format);
  const path = `${card.id}.wgsl`;
  const roundings = format.kernels
    .filter(({ operation }) => operation === SPMV.id)
    .reduce((max, kernel) => Math.max(max, kernel.roundings), 1);
  return {
    ...card,
    roundings,
    fits: fitsScratch,
    plan(e, device) {
      const numbers = numbersOf(e);
      const arrays = [...namedArrays(e)];
      const code = scratchText({
        id: card.id,
        title: format.title,
        numbers: Object.keys(numbers),
        words: wordsOf(e),
        arrays: arrays.map(([name, data]) => ({ name, data, dtype: dtypeOf(format, e, name) })),
      });
      const buffers: readonly BufferPlan[] = [
        { role: 'params', name: 'params', data: Uint32Array.from(Object.values(numbers)) },
        ...arrays.map(([name, data]): BufferPlan => ({ role: 'sparse', name, data })),
        { role: 'input', name: 'x', type: 'f32' },
        { role: 'output', name: 'y', bytes: e.rows * 4 },
      ];
      const bytes = arrays.reduce((sum, [, data]) => sum + data.byteLength, 4 * (e.rows + e.cols));
      const pass = {
        files: [{ path, code }],
        constants: {},
        bindings: buffers.map(({ name }) => name),
        workgroups: [1, 1, 1],
      } as const;
      return { buffers, passes: [dispatchedByText(pass, e, device)], bytes };
    },
    followText: dispatchedByText,
  };
}

type Dispatched = NonNullable<KernelSpec<EncodedMatrix>['followText']>;

/** The pass with the number of workgroups that its texts specify, and with facts that only the device knows. */
export const dispatchedByText: Dispatched = (pass, e, device) => {
  const { path } = pass.files[pass.files.length - 1];
  const code = pass.files.map((file) => file.code).join('\n');
  const asks = new Set(declaredOverrides(code).map(({ name }) => name));
  const constants = { ...fromDevice(device), ...pass.constants };
  const given = Object.fromEntries(Object.entries(constants).filter(([name]) => asks.has(name)));
  const rows = rowsPerWorkgroup(path, code, given);
  return { ...pass, constants: given, workgroups: foldWorkgroups(Math.ceil(e.rows / rows)) };
};

/** Overrides that a text may declare to receive device facts. */
function fromDevice({ subgroupMaxSize }: DeviceFacts): Readonly<Record<string, number>> {
  return { MAX_SUBGROUP_SIZE: Math.max(1, subgroupMaxSize) };
}

/** Whether a device can bind all arrays of a matrix beside x and y, and whether they are small enough for it. */
export function fitsScratch(e: EncodedMatrix, device: DeviceFacts): Admission {
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

/** The whole numbers that an encoded matrix carries: rows, cols, nnz and the format's own. */
function numbersOf(e: EncodedMatrix): Readonly<Record<string, number>> {
  const { rows, cols, nnz } = e;
  const own = Object.entries(e).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0,
  );
  return { rows, cols, nnz, ...Object.fromEntries(own) };
}

/** The format's parameters in words: valueType f16. */
function wordsOf(e: EncodedMatrix): readonly string[] {
  return Object.entries(e).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  );
}

/** The type of an array's elements as the ledger calls it; if it lists none, the type of the typed array. */
function dtypeOf(format: AnyFormat, e: EncodedMatrix, name: string): string {
  const { entries } = format.storage(e);
  return entries.find(({ array }) => array === name)?.dtype ?? '';
}
