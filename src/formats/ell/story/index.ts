import ellSpmvScalarSource from '../../../../shaders/ell/spmv_scalar.wgsl?raw';
import { quotedCode } from '../../../story/declared/lines.ts';
import encodingSource from '../encoding.ts?raw';
import { derivedStory } from '../../../story/declared/index.ts';
// oxlint-disable-next-line import/no-duplicates -- the module itself, next to its text
import { encoding } from '../encoding.ts';
import { questions } from './questions.ts';

const sources = {
  'encoding.ts': encodingSource,
  'ell/spmv_scalar.wgsl': ellSpmvScalarSource,
};

/** The story of ELL: an animation of how a small matrix is encoded and multiplied, with its code. */
export const story = derivedStory(encoding, {
  title: 'ELL',
  // Follows the text about the zeros that are not stored.
  aboutZeros: 'ELL keeps the others in rows of equal length.',
  questions,
  // step of the story: file, and the mark in it that is quoted
  ...quotedCode(sources, () => ({
    start: ['encoding.ts', 'count'],
    weight: ['encoding.ts', 'slot'],
    padding: ['encoding.ts', 'allocate'],
    bookkeeping: ['encoding.ts', 'count'],
    product: ['ell/spmv_scalar.wgsl', 'product'],
    sum: ['ell/spmv_scalar.wgsl', 'sum'],
  })),
});
