import ellSpmvScalarSource from '../../../../shaders/ell/spmv_scalar.wgsl?raw';
import { quotedCode } from '../../../core/declared/story/lines.ts';
import encodingSource from '../encoding.ts?raw';
import { derivedStory } from '../../../core/declared/story/index.ts';
// oxlint-disable-next-line import/no-duplicates -- the module itself, next to its text
import { encoding } from '../encoding.ts';
import { questions } from './questions.ts';

const sources = {
  'encoding.ts': encodingSource,
  'ell/spmv_scalar.wgsl': ellSpmvScalarSource,
};

/** The story of ELL on a window (a part of a matrix), loaded when the format is chosen. */
export const story = derivedStory(encoding, {
  title: 'ELL',
  aboutZeros: 'ELL keeps the others in rows of equal length.',
  questions,
  ...quotedCode(sources, () => ({
    start: ['encoding.ts', 'count'],
    weight: ['encoding.ts', 'slot'],
    padding: ['encoding.ts', 'allocate'],
    bookkeeping: ['encoding.ts', 'count'],
    product: ['ell/spmv_scalar.wgsl', 'product'],
    sum: ['ell/spmv_scalar.wgsl', 'sum'],
  })),
});
