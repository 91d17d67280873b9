import denseRowPairSource from '../../../../shaders/dense/row_pair.wgsl?raw';
import denseRowQuadSource from '../../../../shaders/dense/row_quad.wgsl?raw';
import denseRowQuadI4Source from '../../../../shaders/dense/row_quad_i4.wgsl?raw';
import { lineOf, type StepLines } from '../../../core/declared/story/lines.ts';
import type { DeclaredStep } from '../../../core/declared/story/trace.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { DenseValueType } from '../params.ts';
import { derivedStory } from '../../../core/declared/story/index.ts';
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

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The function that adds up rows, for cells of each type. */
const KERNELS = {
  f32: 'dense/row_pair.wgsl',
  f16: 'dense/row_pair.wgsl',
  i8: 'dense/row_quad.wgsl',
  i4: 'dense/row_quad_i4.wgsl',
} as const satisfies Readonly<Record<DenseValueType, keyof typeof sources>>;

/** The code that a step of dense’s story runs: lines of the encoder or, from Multiply on, of a kernel. */
function codeOf(step: DeclaredStep | null, valueType: DenseValueType): CodeExcerpt {
  const lines: StepLines = {
    start: code('encoding.ts', 'row'),
    weight: code('encoding.ts', 'cell'),
    padding: code('encoding.ts', 'row'),
    product: code(KERNELS[valueType], 'product'),
    sum: code(KERNELS[valueType], 'sum'),
  };
  return lineOf(lines, step);
}

/** The story of the dense format on a window, loaded when the format is chosen. */
export const story = derivedStory(
  { ...encoding, admits, encodeSteps, storage, sizeReason },
  {
    title: 'dense',
    // follows a sentence about the zeros
    keeps: 'Dense stores them too, and so needs no indices.',
    questions,
    quotes: kernelFilesOf(sources),
    code: ({ encoded }, step) => codeOf(step, encoded.valueType),
  },
);
