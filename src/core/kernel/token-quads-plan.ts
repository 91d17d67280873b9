import interleave from '../../../shaders/common/interleave.wgsl';
import quadsShader from '../../../shaders/common/quads.wgsl';
import type { EncodedMatrix, NamedArray } from '../encoded/encoded.ts';
import { type DeviceFacts, foldWorkgroups, type KernelSpec } from './kernel.ts';
import { input, multiPassKernel, output, scratch, stored } from './multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from './shader.ts';

/** Tokens that a lane keeps sums for. */
const MAX_QUAD_TOKENS = 16;

const INTERLEAVE_LANES = 64;

/** A way to multiply the rows of a sparse matrix with up to 16 tokens, with four tokens adjacent in x. */
export interface TokenQuadsKernel<E extends EncodedMatrix> {
  readonly id: string;
  readonly title: string;
  readonly features: readonly string[];
  readonly shader: ShaderModule;
  /** how x is kept: unchanged, or rounded to f16 */
  readonly xType: 'f32' | 'f16';
  /** a power of two */
  readonly lanes: number;
  readonly memoryBytes: number;
  rowsPerWorkgroup(device: DeviceFacts): number;
  /** values, columns and row starts in the order of their bindings */
  arrays(e: E): readonly { readonly name: string; readonly data: NamedArray }[];
  /** arrays bound after the outputs */
  trailing?(e: E): readonly { readonly name: string; readonly data: NamedArray }[];
  /** the choices of the shader, except for that of x */
  pieces(e: E): readonly ShaderModule[];
  constants?(device: DeviceFacts): Readonly<Record<string, number>>;
}

/** The engine's kernel: the first pass interleaves the tokens of x, the second multiplies. */
export function tokenQuadsKernel<E extends EncodedMatrix>(kernel: TokenQuadsKernel<E>): KernelSpec<E> {
  const { id, title, features, lanes, memoryBytes } = kernel;
  const isHalf = kernel.xType === 'f16';
  return multiPassKernel({
    id,
    title,
    operation: 'gemm',
    roundings: 2,
    ...(isHalf ? { roundsInputs: true } : {}),
    features,
    max: { tokens: MAX_QUAD_TOKENS },
    needs: () => ({ lanes: Math.max(lanes, INTERLEAVE_LANES), memoryBytes }),
    partsOf(e, { tokens }, device) {
      const { rows, cols } = e;
      const quads = Math.ceil(tokens / 4);
      const arrays = kernel.arrays(e);
      const trailing = kernel.trailing?.(e) ?? [];
      const params = { role: 'params', name: 'params', data: Uint32Array.of(rows, cols, tokens) } as const;
      return {
        steps: [
          {
            params,
            multiplyAdds: 0,
            pass: {
              files: shaderFiles(interleave.variants[isHalf ? 'f16' : 'f32']),
              constants: {},
              bindings: ['params', 'x', 'quads'],
              workgroups: [Math.max(1, Math.ceil(cols / INTERLEAVE_LANES)), Math.max(1, quads), 1],
            },
          },
          {
            params,
            multiplyAdds: 0,
            pass: {
              files: shaderFiles(kernel.shader, [quadsShader.variants[isHalf ? 'f16' : 'f32'], ...kernel.pieces(e)]),
              constants: { WORKGROUP_SIZE: lanes, QUADS: Math.max(1, quads), ...kernel.constants?.(device) },
              bindings: [
                'params',
                ...arrays.map(({ name }) => name),
                'quads',
                'y',
                ...trailing.map(({ name }) => name),
              ],
              workgroups: foldWorkgroups(Math.ceil(rows / kernel.rowsPerWorkgroup(device))),
            },
          },
        ],
        buffers: [
          input('x', tokens * cols, 'f32'),
          ...[...arrays, ...trailing].map(({ name, data }) => stored(name, data)),
          scratch('quads', quads * cols * (isHalf ? 8 : 16)),
          output('y', 4 * tokens * rows),
        ],
      };
    },
  });
}
