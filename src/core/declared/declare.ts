import type { FormatComparison } from '../comparison/comparison.ts';
import { type EncodedMatrix, namedArrays } from '../encoded/encoded.ts';
import { defaultParams } from '../format.ts';
import { finish } from '../job.ts';
import { countText, counted } from '../text/words.ts';
import { bitsForEach } from './card.ts';
import type { DeclaredEncoded, EncodingDeclaration, FormatDeclaration } from './declaration.ts';
import { admits } from './supports.ts';
import { type AnyDeclaration, arraysOf, elementCount } from './declared-arrays.ts';
import { bytesFromCounts, storage } from './storage.ts';
import { decode, multiply } from './decode.ts';
import { encodeSteps } from './encode.ts';
import { type DeclaredFormat, type DerivedMembers, rememberDeclaration } from './declarations.ts';
import { rulesOf, validate } from './validate.ts';
import { laneChoice } from '../kernel/device-limits.ts';
import type { KernelSpec } from '../kernel/kernel.ts';
import { type ShaderModule, shaderFiles } from '../kernel/shader.ts';
import { fitsDevice, type SpmvBuffers, spmvPlan } from '../kernel/spmv-plan.ts';
import { arraysText, declaredInputs } from './accessors.ts';

/**
 * The members of a format that follow from its declared arrays, encode and decode. A format may replace members by
 * faster code.
 */
export function declareEncoding<
  N extends string,
  P extends object,
  E extends EncodedMatrix = DeclaredEncoded<N, P>,
  Plan = unknown,
>(declaration: EncodingDeclaration<N, P, E, Plan>): DerivedMembers<E, P> {
  // From here on no code depends on the names of its arrays and parameters.
  const d = declaration as unknown as AnyDeclaration;
  const { sizeReason } = d;
  const derived: DerivedMembers<EncodedMatrix, Record<string, unknown>> = {
    admits: (m, p) => admits(d, m, p),
    encodeSteps: (m, p) => encodeSteps(d, m, p),
    decode: (e) => decode(d, e),
    multiply: (e, x, y) => multiply(d, e, x, y),
    validate: (e, level) => validate(d, e, level),
    rules: rulesOf(d, arraysOf(d, defaultParams(d.params), { rows: 8, cols: 8 })),
    storage: (e) => storage(d, e),
    sizeReason: sizeReason ?? ((e) => bitsForEach(8 * storage(d, e).totalBytes, e.nnz)),
    comparison: { ...derivedComparison(d), ...d.comparison },
  };
  rememberDeclaration(derived, d);
  return derived as unknown as DerivedMembers<E, P>;
}

/** A format without its story, which the registry adds. Members that the declaration lacks are derived from it. */
export function declareFormat<N extends string, P extends object, E extends EncodedMatrix = DeclaredEncoded<N, P>>(
  declaration: FormatDeclaration<N, P, E>,
): DeclaredFormat<E, P> {
  const d = declaration as unknown as FormatDeclaration<string, Record<string, unknown>, EncodedMatrix>;
  const { kernel, kernelTitle, kernels = [], facts, limits: speedLimits } = d;
  const encoding = declareEncoding(d);
  const format: DeclaredFormat<EncodedMatrix, Record<string, unknown>> = {
    ...d,
    ...encoding,
    encode: (m, p, job) => finish(encoding.encodeSteps(m, p), job),
    // what limits the speed of each kernel, by its id
    limits: {
      ...(kernel && {
        [`${d.id}/spmv_scalar`]: {
          says: 'A lane for each row, which waits for one element after the other.',
          evidence: 'not shown',
        },
      }),
      ...speedLimits,
    },
    ...(facts && { facts }),
    kernels: [...kernels, ...(kernel ? [scalarKernel(d, kernel, kernelTitle)] : [])],
  };
  return format as unknown as DeclaredFormat<E, P>;
}

/** Bytes from declared lengths; their reason is the number of bits per non-zero. */
function derivedComparison(d: AnyDeclaration): FormatComparison<EncodedMatrix, Record<string, unknown>> {
  const { whyRefused, why } = d.comparison ?? {};
  return {
    size: (s, p) => ((whyRefused?.(s, p) ?? null) === null ? bytesFromCounts(d, s, p) : 'refused'),
    // A matrix that is refused by its statistics has a size once it is pruned; NaN if that size is open.
    ...(whyRefused && { sizeOncePruned: (s, p) => Number(bytesFromCounts(d, s, p)) }),
    // A declared `why` may need counts of its own, so the digest is that of the derived `why` below.
    ...(!why && {
      digest: (e) => ({ bytes: storage(d, e).totalBytes, padding: storage(d, e).totalBits.padding / 8 }),
    }),
    why(s, p, { bytes, padding = 0 }) {
      const totalBytes = bytes ?? bytesFromCounts(d, s, p);
      if (typeof totalBytes !== 'number') return 'Known once the matrix is encoded.';
      if (s.nnz === 0) return `Without non-zeros it takes ${counted(totalBytes, 'byte')}.`;
      const each = `${((8 * totalBytes) / s.nnz).toFixed(1)} bits for each non-zero`;
      return padding > 0 ? `It takes ${each}, ${countText(padding)} bytes of it padding.` : `It takes ${each}.`;
    },
  };
}

const LANES = 64;

/** A kernel of y = A x with a lane for each row: `shader`, appended to generated WGSL functions that read the arrays of `d`. */
function scalarKernel(
  d: AnyDeclaration & { readonly title: string },
  shader: ShaderModule,
  title = 'lane per row',
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
    title,
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
