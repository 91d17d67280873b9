import type { AnyFormat } from '../../../../../src/core/format.ts';
import type { EncodedMatrix } from '../../../../../src/core/encoded/encoded.ts';
import type { DeviceFacts, KernelPlan, KernelSpec } from '../../../../../src/core/kernel/kernel.ts';
import type { Sizes } from '../../../../../src/core/operations/operation.ts';
import { denseMatrix, type Matrix } from '../../../../../src/core/matrix/index.ts';
import { exampleMatrix } from '../../../../../src/gpu/index.ts';
import { paramsWithOneChange } from '../../../../../src/engine/bench/kernel-of.ts';

/** What sets a constant of a kernel (a WGSL override). free: a tuning choice; derived: it depends on a tuning choice. */
export type OverrideOrigin = 'free' | 'derived' | 'device' | 'matrix' | 'parameters';

type AnyKernel = KernelSpec<EncodedMatrix>;
type Constants = ReadonlyMap<string, number>;

/** Rows and columns of two matrices, wide enough for loops over columns to run more than once. */
const SHAPES = [
  [48, 4608],
  [112, 12_544],
] as const;

/** What sets each constant of a kernel, by name: found by comparing plans for other choices, devices and matrices. */
export function overrideOrigins(
  format: AnyFormat,
  spec: AnyKernel,
  params: Readonly<Record<string, unknown>>,
  device: DeviceFacts,
  sizes: Sizes,
): ReadonlyMap<string, OverrideOrigin> {
  const [first, second] = SHAPES.map(([rows, cols]) => exampleMatrix(rows, cols));
  /** The constants of the plan for a matrix; null if there is none. */
  const constantsFor = (
    formatParams: Readonly<Record<string, unknown>>,
    matrix: Matrix,
    facts: DeviceFacts,
    chosen?: Readonly<Record<string, number>>,
  ): Constants | null => {
    try {
      if (!format.admits(matrix, formatParams).ok) return null;
      const encoded: EncodedMatrix = format.encode(matrix, formatParams);
      return constantsOf(spec.plan(encoded, facts, sizes, chosen));
    } catch {
      // A plan that fails has no constants to compare.
      return null;
    }
  };
  const base = constantsFor(params, first, device);
  if (!base) return new Map();
  const origins = new Map<string, OverrideOrigin>();
  /** Sets the origin of the constants that have another value in `other`, and no origin yet. */
  const setOrigin = (other: Constants | null, origin: OverrideOrigin): void => {
    if (!other) return;
    for (const [name, value] of base) {
      if (!origins.has(name) && other.has(name) && other.get(name) !== value) origins.set(name, origin);
    }
  };
  const choices = choicesOf(format, spec, params, device, sizes);
  /** for each choice: the constants with each of its values */
  const trials = choices.map(({ name, values }) =>
    values.map((value) => ({ value, constants: constantsFor(params, first, device, { [name]: value }) })),
  );
  // A constant that equals the choice for every value is the choice itself.
  for (const name of base.keys()) {
    const isChoice = trials.some(
      (ofChoice) => ofChoice.length > 0 && ofChoice.every(({ value, constants }) => constants?.get(name) === value),
    );
    if (isChoice) origins.set(name, 'free');
  }
  for (const variant of paramsWithOneChange(format, params))
    setOrigin(constantsFor(variant, first, device), 'parameters');
  for (const { constants } of trials.flat()) setOrigin(constants, 'derived');
  setOrigin(constantsFor(params, second, device), 'matrix');
  setOrigin(constantsFor(params, fullRowsExceptLast(57, 256), device), 'matrix');
  setOrigin(constantsFor(params, first, withSubgroups(device, 2)), 'device');
  return origins;
}

/** Full rows, and a last row with a single non-zero, so that blocks are of several kinds. */
function fullRowsExceptLast(rows: number, cols: number): Matrix {
  const cells = new Float32Array(rows * cols).fill(1);
  cells.fill(0, (rows - 1) * cols + 1);
  return denseMatrix(rows, cols, cells);
}

function constantsOf({ passes }: KernelPlan): Constants {
  return new Map(passes.flatMap(({ constants }) => Object.entries(constants)));
}

function choicesOf(
  format: AnyFormat,
  spec: AnyKernel,
  params: Readonly<Record<string, unknown>>,
  device: DeviceFacts,
  sizes: Sizes,
): readonly { readonly name: string; readonly values: readonly number[] }[] {
  const [[rows, cols]] = SHAPES;
  const encoded: EncodedMatrix = format.encode(exampleMatrix(rows, cols), params);
  return (spec.choices?.(encoded, device, sizes) ?? []).map((choice) => ({
    name: choice.name,
    values: choice.kind === 'one-of' ? [...choice.values] : [choice.start, Math.max(choice.min, choice.start / 2)],
  }));
}

function withSubgroups(device: DeviceFacts, times: number): DeviceFacts {
  const { subgroupMinSize, subgroupMaxSize } = device;
  return { ...device, subgroupMinSize: subgroupMinSize * times, subgroupMaxSize: subgroupMaxSize * times };
}
