import denseRowPairSource from '../../../../shaders/dense/row_pair.wgsl?raw';
import denseRowQuadSource from '../../../../shaders/dense/row_quad.wgsl?raw';
import denseRowQuadI4Source from '../../../../shaders/dense/row_quad_i4.wgsl?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import encodeI4Source from '../encode-i4.ts?raw';
import quantiseSource from '../../../core/number/q4.ts?raw';
import type { DenseValueType } from '../params.ts';
import type { DenseStep } from './trace.ts';

const sources = {
  'encode.ts': encodeSource,
  'encode-i4.ts': encodeI4Source,
  'q4.ts': quantiseSource,
  'dense/row_pair.wgsl': denseRowPairSource,
  'dense/row_quad.wgsl': denseRowQuadSource,
  'dense/row_quad_i4.wgsl': denseRowQuadI4Source,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The function that adds up rows, for cells of each type. */
const KERNELS = {
  f32: 'dense/row_pair.wgsl',
  f16: 'dense/row_pair.wgsl',
  i8: 'dense/row_quad.wgsl',
  i4: 'dense/row_quad_i4.wgsl',
} as const satisfies Readonly<Record<DenseValueType, keyof typeof sources>>;

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step. */
export function codeOf(step: DenseStep | null, valueType: DenseValueType): CodeExcerpt {
  const isI4 = valueType === 'i4';
  switch (step?.kind) {
    case undefined:
      return isI4 ? code('encode-i4.ts', 'allocate-i4') : code('encode.ts', 'allocate');
    case 'scale':
      return code('encode.ts', 'scale');
    case 'group-scale':
      return code('q4.ts', 'group-scale');
    case 'store':
      return isI4 ? code('q4.ts', 'halves') : code('encode.ts', `store-${valueType}`);
    case 'packed':
      return isI4 ? code('encode-i4.ts', 'store-i4') : code('encode.ts', `store-${valueType}`);
    case 'products':
      return code(KERNELS[valueType], 'product');
    case 'sum':
    case 'multiplied':
      return code(KERNELS[valueType], 'sum');
  }
}
