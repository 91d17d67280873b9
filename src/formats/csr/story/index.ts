import csrSpmvScalarSource from '../../../../shaders/csr/spmv_scalar.wgsl?raw';
import { quotedCode } from '../../../story/declared/lines.ts';
import encodingSource from '../encoding.ts?raw';
import { derivedStory } from '../../../story/declared/index.ts';
// oxlint-disable-next-line import/no-duplicates -- the module itself, next to its text
import { encoding } from '../encoding.ts';
import { questions } from './questions.ts';

const sources = {
  'encoding.ts': encodingSource,
  'csr/spmv_scalar.wgsl': csrSpmvScalarSource,
};

/** The story of CSR: an animation of how a small matrix is encoded and multiplied, with its code. */
export const story = derivedStory(encoding, {
  title: 'CSR',
  // Follows the text about the zeros that are not stored.
  aboutZeros: 'CSR keeps the others, each with its column number.',
  questions,
  // step of the story: the quoted file, and the mark of the quoted lines in it
  ...quotedCode(sources, () => ({
    start: ['encoding.ts', 'start'],
    weight: ['encoding.ts', 'indices'],
    bookkeeping: ['encoding.ts', 'row-end'],
    product: ['csr/spmv_scalar.wgsl', 'product'],
    sum: ['csr/spmv_scalar.wgsl', 'sum'],
  })),
});
