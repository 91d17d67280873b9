import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { decode } from './decode.ts';
import { encodeSteps } from './encode.ts';
import { encoding } from './encoding.ts';
import { facts } from './facts.ts';
import { highlight, tally } from './highlight.ts';
import { kernels } from './kernels.ts';
import limits from './limits.json';
import type { SlideSparseEncoded } from './layout.ts';
import { multiply } from './multiply.ts';
import type { SlideSparseParams } from './params.ts';

/** (2N-2):2N sparsity divided into overlapping 2:4 windows of four columns: each stores two values and their positions. */
export const slideSparse = defineFormat<SlideSparseEncoded, SlideSparseParams>({
  ...card, // title, parameters, paper
  ...encoding,
  // Written by hand for speed; src/formats/contract/declared.test.ts compares these with the declared encoding.
  encodeSteps,
  decode,
  multiply,
  facts,
  highlight, // finds a window for the story that shows what is special about the format
  tally, // counts over a whole matrix that the story mentions
  kernels,
  limits, // what limits the speed of each kernel
});
