// Plans of every kernel for small matrices, and the hashes by which a recording detects that a kernel has changed.

import { createHash } from 'node:crypto';
import type { AnyFormat, EncodedMatrix } from '../src/core/format.ts';
import { I8_SUBGROUP_MATRIX } from '../src/core/kernel/gemm-i8-subgroup-plan.ts';
import {
  type DeviceFacts,
  type KernelPlan,
  type KernelSpec,
  oversizedReason,
  unsuitedReason,
} from '../src/core/kernel/kernel.ts';
import { ROWS_FIRST, SUBGROUP_MATRIX } from '../src/core/kernel/subgroup-matrix.ts';
import { csrMatrix } from '../src/core/matrix/index.ts';
import { operationById } from '../src/core/operations/index.ts';
import { defaultSizes, type Sizes } from '../src/core/operations/operation.ts';

/** The facts of a device that supports every kernel. */
export const DEVICE: DeviceFacts = {
  features: new Set(['subgroups', I8_SUBGROUP_MATRIX]),
  limits: {
    maxStorageBufferBindingSize: 2 ** 30,
    maxBufferSize: 2 ** 30,
    maxComputeWorkgroupStorageSize: 49152,
    maxComputeInvocationsPerWorkgroup: 1024,
    maxComputeWorkgroupSizeX: 1024,
    maxComputeWorkgroupsPerDimension: 65535,
    maxStorageBuffersPerShaderStage: 8,
  },
  subgroupMinSize: 32,
  subgroupMaxSize: 32,
  isFallback: false,
};

/**
 * Matrices that lead kernels to different plans, since their numbers of columns differ: a multiple of 32, no multiple of 4,
 * and more than 16 bits can number. Rows 1 and 3 are empty.
 */
const MATRICES = [
  [3, 64],
  [4, 39],
  [3, 65_537],
].map(([rows, cols]) =>
  csrMatrix({
    rows,
    cols,
    indptr: Uint32Array.from({ length: rows + 1 }, (_, r) => [0, 2, 2, 5, 5][r]),
    indices: Uint32Array.of(0, cols - 1, 3, 4, 20),
    data: Float32Array.of(1, -2, 0.5, 4, 3),
  }),
);

/** Sizes for a kernel: the defaults of its operation, and each of them at its minimum, its maximum and the kernel's limit. */
function sizeChoices({ operation: id, max: limits = {} }: KernelSpec<EncodedMatrix>): readonly Sizes[] {
  const operation = operationById(id);
  const defaults = defaultSizes(operation);
  const extremes = Object.entries(operation.sizes).flatMap(([name, { min, max }]) => [
    { ...defaults, [name]: min },
    { ...defaults, [name]: max },
    { ...defaults, [name]: limits[name] ?? max },
  ]);
  return [defaults, ...extremes];
}

type Fields = Record<string, { readonly options?: readonly { readonly value: unknown }[]; readonly default: unknown }>;

/** If a format has more combinations of parameters than this, not all are planned. */
const MAX_COMBINATIONS = 16;

/** Combinations of a format's choices: all of them if they are few, else the defaults with one changed at a time. */
function paramChoices(format: AnyFormat): Record<string, unknown>[] {
  const fields = Object.entries(format.params as Fields).map(([name, field]) => ({
    name,
    field,
    values: field.options ? field.options.map((o) => o.value) : [field.default],
  }));
  const defaults = Object.fromEntries(fields.map(({ name, field }) => [name, field.default]));
  if (fields.reduce((product, { values }) => product * values.length, 1) > MAX_COMBINATIONS) {
    return fields.flatMap(({ name, values }) => values.map((value) => ({ ...defaults, [name]: value })));
  }
  return fields.reduce<Record<string, unknown>[]>(
    (choices, { name, values }) => choices.flatMap((choice) => values.map((value) => ({ ...choice, [name]: value }))),
    [{}],
  );
}

/** A plan with the matrix and sizes that it is for. */
export interface PlanForMatrix {
  readonly encoded: EncodedMatrix;
  readonly sizes: Sizes;
  readonly plan: KernelPlan;
}

/** The devices for which a kernel is planned: with subgroup matrices, one for each syntax of their types. */
function devicesFor({ features }: KernelSpec<EncodedMatrix>): readonly DeviceFacts[] {
  if (!features.includes(SUBGROUP_MATRIX)) return [DEVICE];
  return [DEVICE, { ...DEVICE, features: new Set([...DEVICE.features, ROWS_FIRST]) }];
}

/** A kernel with its plans for different matrices, parameters and sizes: together they use all of its shader files. */
interface PlannedKernel {
  readonly id: string;
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly plans: readonly PlanForMatrix[];
}

/** All kernels of these formats with their plans. */
export function plansOf(formats: readonly AnyFormat[]): readonly PlannedKernel[] {
  return formats.flatMap((format) => {
    const encoded = MATRICES.flatMap((matrix) =>
      paramChoices(format)
        .filter((params) => format.admits(matrix, params).ok)
        .map((params): EncodedMatrix => format.encode(matrix, params)),
    );
    return format.kernels.map((spec: KernelSpec<EncodedMatrix>) => ({
      id: spec.id,
      spec,
      plans: encoded
        .filter((e) => unsuitedReason(spec, e) === null)
        .flatMap((e) => sizeChoices(spec).map((sizes) => ({ encoded: e, sizes })))
        .filter(({ encoded: e, sizes }) => oversizedReason(spec, sizes) === null && spec.fits(e, DEVICE, sizes).ok)
        .flatMap(({ encoded: e, sizes }) =>
          devicesFor(spec).map((device) => ({ encoded: e, sizes, plan: spec.plan(e, device, sizes) })),
        ),
    }));
  });
}

/** Names that a WGSL text declares: variables, constants, functions, types, parameters and members. */
const DECLARED = /\b(?:let|var(?:<[^>]*>)?|const|override|fn|struct|alias)\s+(\w+)|\b([A-Za-z_]\w*)\s*:/g;

/** Caches of the results of `withoutComments` and `withoutNames` by code: plans share a few hundred texts. */
const codeWithoutComments = new Map<string, string>();
const codeWithoutNames = new Map<string, string>();

function cachedIn(cache: Map<string, string>, code: string, compute: () => string): string {
  const cached = cache.get(code) ?? compute();
  cache.set(code, cached);
  return cached;
}

/** The code without comments. WGSL has no strings in which one could begin. */
const withoutComments = (code: string): string =>
  cachedIn(codeWithoutComments, code, () => code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ' '));

/**
 * The declarations of a module without white space, sorted, with each name that the module declares replaced by its position
 * among the names of its declaration: the same for another order of declarations and for other names.
 */
function withoutNames(code: string): string {
  return cachedIn(codeWithoutNames, code, () => {
    const names = new Set([...code.matchAll(DECLARED)].map(([, name, member]) => name ?? member));
    const declarations: string[] = [];
    // A declaration ends with a semicolon or a closing brace outside of all braces.
    let start = 0;
    let depth = 0;
    for (const { index, 0: mark } of code.matchAll(/[;{}]/g)) {
      depth += mark === '{' ? 1 : mark === '}' ? -1 : 0;
      if (depth > 0 || mark === '{') continue;
      declarations.push(code.slice(start, index + 1));
      start = index + 1;
    }
    const numbered = declarations.map((declaration) => {
      const positions = new Map<string, number>();
      return declaration
        .replaceAll(/\b[A-Za-z_]\w*/g, (name) => {
          if (!names.has(name)) return name;
          const position = positions.get(name) ?? positions.size;
          positions.set(name, position);
          return `#${position}`;
        })
        .replaceAll(/\s+/g, '');
    });
    return numbered.toSorted().join('\n');
  });
}

/**
 * The hash of each kernel by its id, eight hexadecimal digits. It changes with its WGSL and with the constants, workgroups and
 * buffers of any of its plans, but not with comments, names and the order of declarations.
 */
export function kernelHashes(formats: readonly AnyFormat[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    plansOf(formats).map(({ id, plans }) => {
      const hash = createHash('sha256');
      for (const { plan } of plans) {
        for (const { files, constants, bindings, workgroups } of plan.passes) {
          const code = withoutComments(files.map((file) => file.code).join('\n'));
          hash.update(withoutNames(code));
          // Constants in the order in which the code names them.
          const values = Object.entries(constants)
            .map(([name, value]) => ({ value, position: code.search(new RegExp(`\\b${name}\\b`)) }))
            .toSorted((first, second) => first.position - second.position)
            .map(({ value }) => value);
          const roles = bindings.map((binding) => plan.buffers.find(({ name }) => name === binding)?.role);
          hash.update(JSON.stringify([values, roles, workgroups]));
        }
      }
      return [id, hash.digest('hex').slice(0, 8)];
    }),
  );
}
