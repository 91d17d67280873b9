import interleave from '../../../shaders/common/interleave.wgsl';
import quadsShader from '../../../shaders/common/quads.wgsl';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import { type DeviceFacts, splitWorkgroups, type KernelSpec } from './kernel.ts';
import { input, multiPassKernel, output, scratch, type StoredArrays, storedParts } from './multi-pass-plan.ts';
import { shaderFiles, type ShaderModule, type ShaderSource } from './shader.ts';

/** Tokens (columns of x) of a quad: their values are adjacent and are read together. */
const QUAD_TOKENS = 4;

/** Most tokens of these kernels. */
const MAX_QUAD_TOKENS = 16;

/** Lanes per workgroup of the first pass. */
const INTERLEAVE_LANES = 64;

/** Lanes of a workgroup with a row for each subgroup; without subgroups, a smaller workgroup computes one row. */
const SUBGROUP_LANES = 128;
const WORKGROUP_LANES = 64;

/** Workgroup memory of a lane for its sums of four tokens. */
export const FOUR_SUMS_BYTES = 16;

/**
 * The format's part of kernels that multiply up to 16 tokens in quads: in each column of the matrix, the values of x of
 * four tokens are adjacent.
 */
interface TokenQuads<E extends EncodedMatrix> {
  /** with the variants 'subgroup' and 'workgroup' */
  readonly shader: ShaderSource;
  /** workgroup memory per lane, without subgroups */
  readonly bytesPerLane: number;
  /** values, columns and row starts in the order of their bindings */
  arrays(e: E): StoredArrays;
  /** arrays bound after the outputs */
  trailing?(e: E): StoredArrays;
  /** the modules that the shader’s include lines choose, except that for the type of x */
  pieces(e: E): readonly ShaderModule[];
  /** further constants of the kernels with subgroups */
  constants?(device: DeviceFacts): Readonly<Record<string, number>>;
}

/** A format's kernels for quads of tokens: with subgroups, one for each type of x; one without subgroups, for f32. */
export function tokenQuadsKernels<E extends EncodedMatrix>(
  format: string,
  xTypes: readonly ('f32' | 'f16')[],
  kernel: TokenQuads<E>,
): readonly KernelSpec<E>[] {
  const bySubgroup = xTypes.map((xType) => tokenQuadsKernel(format, kernel, 'subgroup', xType));
  return [...bySubgroup, tokenQuadsKernel(format, kernel, 'workgroup', 'f32')];
}

/** A kernel whose first pass interleaves the tokens of x, and whose second pass multiplies. */
function tokenQuadsKernel<E extends EncodedMatrix>(
  format: string,
  kernel: TokenQuads<E>,
  variant: 'subgroup' | 'workgroup',
  xType: 'f32' | 'f16',
): KernelSpec<E> {
  const isBySubgroup = variant === 'subgroup';
  const isHalf = xType === 'f16';
  const lanes = isBySubgroup ? SUBGROUP_LANES : WORKGROUP_LANES;
  const memoryBytes = isBySubgroup ? 0 : WORKGROUP_LANES * kernel.bytesPerLane;
  const bySubgroup = `subgroup per row, tokens side by side${isHalf ? ', f16' : ''}`;
  return multiPassKernel({
    id: `${format}/gemm_${variant}${isHalf ? '_x16' : ''}`,
    title: isBySubgroup ? bySubgroup : 'workgroup per row, without subgroups',
    operation: 'gemm',
    extraRoundings: 2,
    ...(isHalf ? { roundsInputs: true } : {}),
    features: isBySubgroup ? ['subgroups'] : [],
    max: { tokens: MAX_QUAD_TOKENS },
    needs: () => ({ lanes: Math.max(lanes, INTERLEAVE_LANES), memoryBytes }),
    partsOf(e, { tokens }, device) {
      const { rows, cols } = e;
      const quads = Math.ceil(tokens / QUAD_TOKENS);
      const rowsAtOnce = isBySubgroup ? SUBGROUP_LANES / device.subgroupMaxSize : 1;
      const constants = isBySubgroup ? kernel.constants?.(device) : {};
      const arrays = kernel.arrays(e);
      const trailing = kernel.trailing?.(e) ?? [];
      const params = { role: 'params', name: 'params', data: Uint32Array.of(rows, cols, tokens) } as const;
      return {
        passes: [
          {
            params,
            pass: {
              files: shaderFiles(interleave.variants[xType]),
              constants: {},
              bindings: ['params', 'x', 'quads'],
              workgroups: [Math.max(1, Math.ceil(cols / INTERLEAVE_LANES)), Math.max(1, quads), 1],
            },
          },
          {
            params,
            pass: {
              files: shaderFiles(kernel.shader.variants[variant], [quadsShader.variants[xType], ...kernel.pieces(e)]),
              constants: { WORKGROUP_SIZE: lanes, QUADS: Math.max(1, quads), ...constants },
              bindings: [
                'params',
                ...arrays.map(({ name }) => name),
                'quads',
                'y',
                ...trailing.map(({ name }) => name),
              ],
              workgroups: splitWorkgroups(Math.ceil(rows / rowsAtOnce)),
            },
          },
        ],
        buffers: [
          input('x', tokens * cols, 'f32'),
          ...storedParts([...arrays, ...trailing]),
          scratch('quads', quads * cols * QUAD_TOKENS * (isHalf ? 2 : 4)),
          output('y', 4 * tokens * rows),
        ],
      };
    },
  });
}
