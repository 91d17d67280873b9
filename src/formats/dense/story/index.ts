import denseRowPairSource from '../../../../shaders/dense/row_pair.wgsl?raw';
import denseRowQuadSource from '../../../../shaders/dense/row_quad.wgsl?raw';
import denseRowQuadI4Source from '../../../../shaders/dense/row_quad_i4.wgsl?raw';
import { quotedCode } from '../../../story/declared/lines.ts';
import type { DeclaredTrace } from '../../../story/declared/trace.ts';
import encodingSource from '../encoding.ts?raw';
import type { DenseEncoded } from '../layout.ts';
import type { DenseValueType } from '../params.ts';
import { derivedStory } from '../../../story/declared/index.ts';
import { admits, encodeSteps } from '../encode.ts';
import { encoding } from '../encoding.ts';
import { sizeReason, storage } from '../storage.ts';
import { questions } from './questions.ts';

const sources = {
  'encoding.ts': encodingSource,
  'dense/row_pair.wgsl': denseRowPairSource,
  'dense/row_quad.wgsl': denseRowQuadSource,
  'dense/row_quad_i4.wgsl': denseRowQuadI4Source,
};

/** The shader whose lines the story quotes, by value type. */
const KERNELS = {
  f32: 'dense/row_pair.wgsl',
  f16: 'dense/row_pair.wgsl',
  i8: 'dense/row_quad.wgsl',
  i4: 'dense/row_quad_i4.wgsl',
} as const satisfies Readonly<Record<DenseValueType, keyof typeof sources>>;

/** The story of the dense format: an animation of how a small matrix is encoded and multiplied, with its code. */
export const story = derivedStory(
  { ...encoding, admits, encodeSteps, storage, sizeReason },
  {
    title: 'dense',
    isReference: true,
    // The first frame adds this after the text on how many values are zero.
    aboutZeros: 'Dense stores them too, and so needs no indices.',
    questions,
    // for each kind of step: a file, and the MARKER of its comment `// step: MARKER` at the quoted lines
    ...quotedCode(sources, ({ encoded: { valueType } }: DeclaredTrace<DenseEncoded>) => ({
      start: ['encoding.ts', 'row'],
      weight: ['encoding.ts', 'cell'],
      padding: ['encoding.ts', 'row'],
      product: [KERNELS[valueType], 'product'],
      sum: [KERNELS[valueType], 'sum'],
    })),
  },
);
