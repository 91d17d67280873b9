import { describe, expect, it } from 'vitest';
import { KernelError } from '../src/core/errors.ts';
import { type AnyFormat, defaultParams, type EncodedMatrix } from '../src/core/format.ts';
import { I8_SUBGROUP_MATRIX } from '../src/core/kernel/gemm-i8-subgroup-plan.ts';
import { type Chosen, startOf } from '../src/core/kernel/choices.ts';
import {
  type BufferPlan,
  type DeviceFacts,
  type KernelPlan,
  type KernelSpec,
  unsuitedReason,
} from '../src/core/kernel/kernel.ts';
import { type NamedArray, namedArrays } from '../src/core/encoded/encoded.ts';
import { SUBGROUP_MATRIX } from '../src/core/kernel/subgroup-matrix.ts';
import { largest } from '../src/core/number/statistics.ts';
import { csrMatrix, type Matrix } from '../src/core/matrix/index.ts';
import { operationById } from '../src/core/operations/index.ts';
import { defaultSizes, type Sizes } from '../src/core/operations/operation.ts';
import { formatById, formats } from '../src/formats/registry.ts';
import { allParams, paramsTitle, turnOf } from './arbitraries.ts';
import { requestedWorkgroups, explainedOverrides, plannedShader, workgroupBytes } from './shader-plan.ts';

/**
 * Every kernel of every format is planned at awkward sizes, and the plan is compared with the text of the kernel:
 * without a device, in seconds. Whether the text is right is checked by contract/kernels.gpu.test.ts.
 */

/** The default limits of the specification. */
const MIN_LIMITS = {
  maxStorageBufferBindingSize: 2 ** 27,
  maxBufferSize: 2 ** 28,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupsPerDimension: 65535,
  maxStorageBuffersPerShaderStage: 8,
  maxUniformBufferBindingSize: 65536,
};

interface NamedDevice {
  readonly name: string;
  readonly device: DeviceFacts;
}

/** A device with the specification's default limits except those given, and with subgroups of these sizes. */
function deviceOf(
  name: string,
  features: readonly string[],
  limits: object,
  [subgroupMinSize, subgroupMaxSize]: readonly [number, number],
): NamedDevice {
  const facts = { features: new Set(features), limits: { ...MIN_LIMITS, ...limits }, isFallback: name === 'software' };
  return { name, device: { ...facts, subgroupMinSize, subgroupMaxSize } };
}

const MINIMUM = deviceOf('minimum', [], {}, [0, 0]);
const SOFTWARE = deviceOf('software', ['subgroups'], {}, [4, 4]);
const LARGE_LIMITS = {
  maxStorageBufferBindingSize: 2 ** 31 - 4,
  maxBufferSize: 2 ** 32,
  maxComputeWorkgroupStorageSize: 49152,
  maxComputeInvocationsPerWorkgroup: 1024,
  maxComputeWorkgroupSizeX: 1024,
};
const GRAPHICS_CARD = deviceOf('card', ['subgroups', SUBGROUP_MATRIX, I8_SUBGROUP_MATRIX], LARGE_LIMITS, [32, 32]);
const MEDIUM_LIMITS = { maxComputeWorkgroupStorageSize: 32768 };
const SUBGROUPS_OF_TWO_SIZES = deviceOf('subgroups of 8 to 64', ['subgroups'], MEDIUM_LIMITS, [8, 64]);
const DEVICES = [MINIMUM, SOFTWARE, GRAPHICS_CARD, SUBGROUPS_OF_TWO_SIZES];

/** A matrix with `meanPerRow` non-zeros per row on average, at most 1: one in some rows, none in the others. */
function sparse(rows: number, cols: number, meanPerRow = 2 / 3): Matrix {
  const perRow = cols === 0 ? 0 : meanPerRow;
  const indptr = Uint32Array.from({ length: rows + 1 }, (_, r) => Math.ceil(r * perRow));
  const nnz = indptr[rows];
  return csrMatrix({
    rows,
    cols,
    indptr,
    indices: Uint32Array.from({ length: nnz }, (_, i) => (7 * i) % cols),
    data: Float32Array.from({ length: nnz }, (_, i) => 1 + (i % 5)),
  });
}

interface NamedMatrix {
  readonly name: string;
  readonly matrix: Matrix;
}

const named = (rows: number, cols: number, meanPerRow?: number): NamedMatrix => ({
  name: `${rows} x ${cols}`,
  matrix: sparse(rows, cols, meanPerRow),
});

/** Sizes one above and one below those of workgroups, tiles and words; prime sizes; no rows or no columns. */
const SMALL: readonly NamedMatrix[] = [
  ...'1x1 1x1031 521x1 31x33 63x65 64x64 65x63 129x31 257x129 0x7 5x0'.split(' ').map((shape) => {
    const [rows, cols] = shape.split('x').map(Number);
    return named(rows, cols);
  }),
  { name: '33 x 70 without a non-zero', matrix: sparse(33, 70, 0) },
];

/** The matrices that are encoded with parameters other than the default. */
const FEW_MATRICES = SMALL.filter(({ name }) =>
  ['1 x 1', '1 x 1031', '257 x 129', '33 x 70 without a non-zero'].includes(name),
);

/**
 * More rows than two dimensions of a dispatch have workgroups (where folding begins is src/core/kernel/spmv-plan.test.ts);
 * more columns than 16 bits can number.
 */
const LARGE: readonly NamedMatrix[] = [named(131_071, 2, 1 / 63), named(3, 65_537, 1 / 63)];

const MATRICES = [...SMALL, ...LARGE];

/** The tested values of the sizes of operations, by name. */
const SIZES: Readonly<Record<string, readonly number[]>> = {
  tokens: [1, 5, 16, 129],
  width: [8, 1032],
  zeros: [0, 50],
};

function sizesOf({ operation, max = {} }: KernelSpec<EncodedMatrix>): readonly Sizes[] {
  const names = Object.keys(operationById(operation).sizes);
  if (names.length === 0) return [{}];
  return names.flatMap((name) =>
    [...new Set((SIZES[name] ?? []).map((size) => Math.min(size, max[name] ?? size)))].map((size) => ({
      ...defaultSizes(operationById(operation)),
      [name]: size,
    })),
  );
}

/** `undefined` for the default of every choice, then settings that change one choice at a time to another value. */
function settingsOf(
  spec: KernelSpec<EncodedMatrix>,
  e: EncodedMatrix,
  device: DeviceFacts,
  sizes: Sizes,
): readonly (Chosen | undefined)[] {
  const choices = spec.choices?.(e, device, sizes) ?? [];
  const start = startOf(choices);
  const values = choices.flatMap((choice) =>
    (choice.kind === 'one-of' ? choice.values : [choice.min, choice.max])
      .filter((value) => value !== choice.start)
      .map((value) => ({ ...start, [choice.name]: value })),
  );
  return [undefined, ...values];
}

interface Planned {
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly e: EncodedMatrix;
  readonly sizes: Sizes;
  readonly device: DeviceFacts;
  readonly plan: KernelPlan;
}

/** The problems of a plan, one message each. */
type Law = (planned: Planned) => readonly string[];

/** Checks that each pass has the minimum number of workgroups; if folded to two dimensions, less than a row more. */
const dispatches: Law = ({ plan, device }) =>
  plan.passes.flatMap((pass) => {
    const { counts, isFolded } = requestedWorkgroups(plan, pass, device);
    const [x, y, z] = pass.workgroups;
    const requests = counts.map((count) => Math.max(1, count));
    const found = `${pass.files[pass.files.length - 1].path}: found ${pass.workgroups.join(' x ')} workgroups`;
    if (!isFolded) {
      const [expectedX, expectedY = 1, expectedZ = 1] = requests;
      return x === expectedX && y === expectedY && z === expectedZ
        ? []
        : [`${found}, expected ${requests.join(' x ')}`];
    }
    const [count] = requests;
    const hasFoldedShape =
      x <= 65_535 && z === 1 && x * y >= count && x * y < count + y && y === Math.ceil(count / 65_535);
    return hasFoldedShape ? [] : [`${found}, expected ${count}, folded above 65535`];
  });

type Count = (e: EncodedMatrix, sizes: Sizes) => number;

/** The same count for several names, which are separated by spaces. */
const countFor = (names: string, count: Count) => Object.fromEntries(names.split(' ').map((name) => [name, count]));

/** Number of values of each input, by name. */
const INPUTS: Readonly<Record<string, Count>> = {
  x: (e, { tokens, width }) => (width === undefined ? (tokens ?? 1) * e.cols : e.rows * width),
  dy: (e, { width }) => e.rows * width,
  ...countFor('wg wu wd dwg dwu dwd', (e, { width }) => e.cols * width),
  ...countFor('h g', (e) => e.rows * e.cols),
};

/** Size of a buffer as bound, in bytes. */
function bytesOf(buffer: BufferPlan, { e, sizes }: Planned): number {
  if (buffer.role === 'sparse' || buffer.role === 'params') return buffer.data.byteLength;
  if (buffer.role === 'input') return INPUTS[buffer.name](e, sizes) * (buffer.type === 'f32' ? 4 : 2);
  return buffer.bytes;
}

/** Checks buffers, workgroups, lanes and workgroup memory against the limits of the device. */
const staysWithinLimits: Law = (planned) => {
  const { plan, device } = planned;
  const { limits } = device;
  const problems: string[] = [];
  const checkLimit = (what: string, found: number, limit: string): void => {
    if (found > limits[limit]) problems.push(`${what}: found ${found}, expected at most ${limits[limit]} (${limit})`);
  };
  for (const buffer of plan.buffers) {
    const limit = buffer.role === 'params' ? 'maxUniformBufferBindingSize' : 'maxStorageBufferBindingSize';
    checkLimit(buffer.name, bytesOf(buffer, planned), limit);
  }
  for (const pass of plan.passes) {
    const shader = plannedShader(plan, pass);
    const { path } = shader;
    const lanes = shader.number(shader.lanes);
    const roles = pass.bindings.map((name) => plan.buffers.find((b) => b.name === name)?.role);
    checkLimit(
      `${path}: storage buffers`,
      roles.filter((r) => r !== 'params').length,
      'maxStorageBuffersPerShaderStage',
    );
    for (const count of pass.workgroups) checkLimit(`${path}: workgroups`, count, 'maxComputeWorkgroupsPerDimension');
    checkLimit(`${path}: lanes`, lanes, 'maxComputeInvocationsPerWorkgroup');
    checkLimit(`${path}: lanes`, lanes, 'maxComputeWorkgroupSizeX');
    checkLimit(`${path}: workgroup memory`, workgroupBytes(shader), 'maxComputeWorkgroupStorageSize');
  }
  return problems;
};

/** Workgroup memory of the pass that needs the most, in whole 16 bytes. */
const memoryOf = (plan: KernelPlan): number =>
  largest(plan.passes.map((pass) => workgroupBytes(plannedShader(plan, pass))));

/** Kernels that do not check all of their workgroup memory: it is the same for every matrix, and every device has as much. */
const COUNTS_LESS =
  /^(?:(?:dense|slidesparse)\/gemm(?:_i8)?|hybrid\/(?:convert(?:_from_twell)?|transpose)|twell\/(?:up_down|forward)_workgroup)$/;

/**
 * With 16 bytes of workgroup memory less than a plan needs, the kernel rejects the device, or has a plan that needs less.
 * Existing devices have enough memory for most plans, so that a count that is too low does not show with them.
 */
const countsItsMemory: Law = ({ spec, e, sizes, device, plan }) => {
  const max = memoryOf(plan) - 16;
  if (max < 0 || COUNTS_LESS.test(spec.id)) return [];
  const smallerDevice: DeviceFacts = { ...device, limits: { ...device.limits, maxComputeWorkgroupStorageSize: max } };
  if (!spec.fits(e, smallerDevice, sizes).ok) return [];
  const found = memoryOf(spec.plan(e, smallerDevice, sizes));
  return found <= max ? [] : [`workgroup memory: found ${found} bytes where a device has ${max}, expected no more`];
};

/** Checks that overrides of type u32 are whole numbers of 32 bits, and the others finite. */
const setsWholeNumbers: Law = ({ plan }) =>
  plan.passes.flatMap((pass) => {
    const { overrides } = plannedShader(plan, pass);
    const types = new Map(overrides.map(({ name, type }) => [name, type]));
    return Object.entries(pass.constants)
      .filter(([name, value]) => {
        const isWhole = Number.isInteger(value) && value >= 0 && value < 2 ** 32;
        return !(types.get(name) === 'u32' ? isWhole : Number.isFinite(value));
      })
      .map(([name, value]) => `${name}: found ${value}, expected a ${types.get(name)}`);
  });

/** Checks each override whose comment is a formula against that formula. */
const overridesMatchComments: Law = ({ plan, device }) =>
  plan.passes.flatMap((pass) =>
    [...explainedOverrides(plan, pass, device)]
      .filter(([name, { value, isMinimum }]) =>
        isMinimum ? pass.constants[name] < value : pass.constants[name] !== value,
      )
      .map(([name, { value }]) => `${name}: found ${pass.constants[name]}, expected ${value} by its comment`),
  );

/** Number of outputs of an operation, by its id. */
const OUTPUTS: Readonly<Record<string, Count>> = {
  ...countFor('spmv spmv-zeros', (e) => e.rows),
  ...countFor('gemm gemm-i8', (e, { tokens }) => tokens * e.rows),
  quantise: (e, { tokens }) => tokens * (e.cols + 1),
  ...countFor('up-down down forward forward-storing', (e, { width }) => e.rows * width),
  ...countFor('backward backward-stored', (e, { width }) => (e.rows + 3 * e.cols) * width),
  update: (e, { width }) => 3 * e.cols * width,
  ...countFor('gate sampled-product convert fill unpack transpose', (e) => e.rows * e.cols),
};

/**
 * Checks the bytes of each output, in whole words of 4 bytes, and that the kernel reads as many numbers from its outputs as
 * the operation has. An output named y has a number in f32 for each of these, except in `quantise`. An output that is an
 * array of the format is as long as the encoder's array, except in `transpose`, where it belongs to the transposed matrix.
 */
const leavesAllOutputs: Law = ({ spec, e, sizes, plan }) => {
  const outputs = plan.buffers.filter((buffer) => buffer.role === 'output');
  const arrays = spec.operation === 'transpose' ? new Map<string, NamedArray>() : namedArrays(e);
  const misfits = outputs.flatMap(({ name, bytes }) => {
    const array = arrays.get(name.replace(/ made$/, ''));
    const numbers = name === 'y' && spec.operation !== 'quantise' ? 4 * OUTPUTS[spec.operation](e, sizes) : bytes;
    const expected = Math.ceil((array?.byteLength ?? numbers) / 4) * 4;
    return bytes === expected ? [] : [`${name}: found ${bytes} bytes, expected ${expected}`];
  });
  if (misfits.length > 0) return misfits;
  const words = outputs.reduce((sum, { bytes }) => sum + bytes / 4, 0);
  const expected = OUTPUTS[spec.operation](e, sizes);
  const found = spec.read ? numbersIn(spec, e, words, sizes) : words;
  return found === null || found === expected ? [] : [`outputs: found space for ${found}, expected ${expected}`];
};

/** Numbers that a kernel reads from this many zero words; null if it detects that no kernel writes those. */
function numbersIn(spec: KernelSpec<EncodedMatrix>, e: EncodedMatrix, words: number, sizes: Sizes): number | null {
  try {
    return spec.read?.(e, new Uint32Array(words), sizes).length ?? 0;
  } catch (error) {
    if (error instanceof KernelError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Kernels that need not move all of an array, or move intermediate data more than once. */
const MOVES_OTHERWISE =
  /^(?:dense\/(?:spmv_columns|forward_storing|backward_stored)|hybrid\/(?:up_down_storing|forward_storing|backward_stored|sampled_product|fill)|slidesparse\/lift_apart)/;

/** Checks that the bytes that a plan states are those of its arrays, inputs and outputs, each counted once. */
const countsWhatItMoves: Law = (planned) => {
  const { spec, plan } = planned;
  if (MOVES_OTHERWISE.test(spec.id)) return [];
  const moved = plan.buffers.filter(({ role }) => role === 'sparse' || role === 'input' || role === 'output');
  const expected = moved.reduce((sum, buffer) => sum + bytesOf(buffer, planned), 0);
  return plan.bytes === expected ? [] : [`bytes: found ${plan.bytes}, expected ${expected}`];
};

/** Checks the uniform fields of each pass whose names are sizes of the matrix or of the operation. */
const passesSizes: Law = ({ spec, e, sizes, plan }) =>
  plan.passes.flatMap((pass) => {
    const { fields, path, value } = plannedShader(plan, pass);
    const tokens = sizes.tokens ?? (spec.operation.startsWith('spmv') ? 1 : e.rows);
    // The pass that adds up panels treats the outputs of all tokens as rows.
    const passRows = path === 'common/sum_panels.wgsl' ? tokens * e.rows : e.rows;
    const expected: Readonly<Record<string, number>> = {
      rows: passRows,
      cols: e.cols,
      tokens,
      neurons: e.cols,
      ...sizes,
    };
    const uniform = plan.buffers.find(({ name }) => name === pass.bindings[0]);
    const bytes = uniform?.role === 'params' ? uniform.data.byteLength : 0;
    return [
      ...(bytes < 4 * fields.length ? [`${path}: found sizes of ${bytes} bytes, expected ${4 * fields.length}`] : []),
      ...fields
        .filter((name) => name in expected && value(name) !== expected[name])
        .map((name) => `${path}: found ${value(name)} ${name}, expected ${expected[name]}`),
    ];
  });

const LAWS = {
  'dispatches as few workgroups as its header states, folded above 65535': dispatches,
  'stays within the limits of every device that it fits': staysWithinLimits,
  'rejects a device that has less workgroup memory than it needs': countsItsMemory,
  'sets overrides to numbers of their types': setsWholeNumbers,
  'sets overrides to what their comments say': overridesMatchComments,
  'passes the shader the sizes of the matrix and of the operation': passesSizes,
  'has space for every output, and for no more': leavesAllOutputs,
  'counts every array, input and output that it moves once': countsWhatItMoves,
} as const satisfies Readonly<Record<string, Law>>;
const LAW_NAMES = Object.keys(LAWS) as readonly (keyof typeof LAWS)[];

interface Encoded {
  readonly title: string;
  readonly e: EncodedMatrix;
  readonly devices: readonly NamedDevice[];
  /** position among the matrices with the same parameters */
  readonly nth: number;
  /** whether all values of choices are tried, not the defaults alone */
  readonly triesChoices: boolean;
}

/**
 * The encoded matrices of a format. With the default parameters these are all matrices, each for half of the devices in
 * `npm test`, and one of them with all values of choices; with other parameters, a few matrices for the graphics card and the
 * software device.
 */
function encodedOf(format: AnyFormat): readonly Encoded[] {
  const defaultTitle = paramsTitle(defaultParams<object>(format.params) as Record<string, unknown>);
  const combinations = allParams(format);
  return combinations.flatMap((params, i) => {
    const isDefault = paramsTitle(params) === defaultTitle;
    return (isDefault ? MATRICES : turnOf(FEW_MATRICES, i, combinations.length))
      .filter(({ matrix }) => format.admits(matrix, params).ok)
      .map(({ name, matrix }, nth) => ({
        title: `${name}, ${paramsTitle(params)}`,
        e: format.encode(matrix, params) as EncodedMatrix,
        nth,
        devices: isDefault && matrix.rows < 65_535 ? turnOf(DEVICES, nth, 2) : [SOFTWARE, GRAPHICS_CARD],
        triesChoices: isDefault && name === '257 x 129',
      }));
  });
}

/** The problems of a kernel by law, each with its matrix, sizes and device. */
function problemsOf(
  spec: KernelSpec<EncodedMatrix>,
  encoded: readonly Encoded[],
): ReadonlyMap<string, readonly string[]> {
  const problems = new Map<string, string[]>(LAW_NAMES.map((name) => [name, []]));
  let plans = 0;
  for (const { title, e, devices, nth, triesChoices } of encoded) {
    if (unsuitedReason(spec, e) !== null) continue;
    // If not all tests run, matrices of many rows have alternating halves of the sizes.
    const allSizes = sizesOf(spec);
    for (const sizes of e.rows < 65_535 ? allSizes : turnOf(allSizes, nth, 2)) {
      for (const { name, device } of devices) {
        if (spec.features.some((feature) => !device.features.has(feature)) || !spec.fits(e, device, sizes).ok) continue;
        for (const chosen of triesChoices ? settingsOf(spec, e, device, sizes) : [undefined]) {
          const plan = planOf(spec, e, device, sizes, chosen);
          if (plan === null) continue;
          plans++;
          for (const law of LAW_NAMES) {
            for (const problem of LAWS[law]({ spec, e, sizes, device, plan })) {
              const where = `${title}, ${JSON.stringify({ ...sizes, ...chosen })}, ${name}`;
              problems.get(law)?.push(`${where}: ${problem}`);
            }
          }
        }
      }
    }
  }
  if (plans === 0) throw new Error(`${spec.id}: found no plan`);
  return problems;
}

/** A plan, or null if a kernel rejects a chosen number as too large for this matrix, the only reason that is allowed. */
function planOf(
  spec: KernelSpec<EncodedMatrix>,
  e: EncodedMatrix,
  device: DeviceFacts,
  sizes: Sizes,
  chosen: Chosen | undefined,
): KernelPlan | null {
  try {
    return spec.plan(e, device, sizes, chosen);
  } catch (error) {
    if (chosen && error instanceof RangeError && error.message.includes(' at most ')) return null;
    throw error;
  }
}

/** Most problems of one law that a failure prints. */
const MAX_PRINTED = 3;

/** Lazily computed. */
function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | null = null;
  return () => (result ??= { value: compute() }).value;
}

describe.each(formats.map((format) => [format.id, format] as const))('%s', (_, format) => {
  const encoded = once(() => encodedOf(format));

  describe.each((format.kernels as readonly KernelSpec<EncodedMatrix>[]).map((spec) => [spec.id, spec] as const))(
    '%s',
    (_id, spec) => {
      const problems = once(() => problemsOf(spec, encoded()));

      it.each(LAW_NAMES)('%s', (law) => {
        expect(problems().get(law)?.slice(0, MAX_PRINTED)).toEqual([]);
      });
    },
  );
});

it('kernels that need more workgroups than a dimension allows are not supported', () => {
  const format = formatById('bitmask');
  const fitsOf = (cols: number): readonly boolean[] => {
    const m = sparse(8, cols, 1);
    const e = format.encode(m, defaultParams(format.params)) as EncodedMatrix;
    const specs = (format.kernels as readonly KernelSpec<EncodedMatrix>[]).filter(
      ({ operation, only = {} }) => operation === 'gemm' && Object.keys(only).length === 0,
    );
    return specs.map((spec) => spec.fits(e, GRAPHICS_CARD.device, { tokens: 1 }).ok);
  };
  // The first pass has a workgroup for 64 columns.
  expect([fitsOf(4_194_240).includes(true), fitsOf(4_194_241).includes(true)]).toEqual([true, false]);
});
