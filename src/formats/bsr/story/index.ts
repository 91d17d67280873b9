import bsrVectorLineSource from '../../../../shaders/bsr/vector_line.wgsl?raw';
import { quotedCode } from '../../../story/declared/lines.ts';
import encodingSource from '../encoding.ts?raw';
import { derivedStory } from '../../../story/declared/index.ts';
import { encoding } from '../encoding.ts';

const sources = {
  'encoding.ts': encodingSource,
  'bsr/vector_line.wgsl': bsrVectorLineSource,
};

/** The story of BSR: an animation of how a small matrix is encoded and multiplied, with its code. */
export const story = derivedStory(encoding, {
  title: 'BSR',
  // Follows the text about the zeros that are not stored.
  aboutZeros: 'BSR keeps whole blocks, with one column number each.',
  questions: [],
  // step of the story: file, and the mark in it that is quoted
  ...quotedCode(sources, () => ({
    start: ['encoding.ts', 'count'],
    weight: ['encoding.ts', 'cell'],
    index: ['encoding.ts', 'index'],
    bookkeeping: ['encoding.ts', 'count'],
    product: ['bsr/vector_line.wgsl', 'product'],
    sum: ['bsr/vector_line.wgsl', 'sum'],
  })),
});
