import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { decode } from './decode.ts';
import { encodeSteps } from './encode.ts';
import { encoding } from './encoding.ts';
import { highlight, tally } from './highlight.ts';
import { kernels } from './kernels.ts';
import type { MackoEncoded } from './layout.ts';
import limits from './limits.json';
import { multiply } from './multiply.ts';
import type { MackoParams } from './params.ts';

/** Mutually aligned compressed coordinates: values with short column skips, for unstructured sparsity of 30 to 90 %. */
export const macko = defineFormat<MackoEncoded, MackoParams>({
  ...card, // title, parameters, paper
  ...encoding,
  // Three functions written by hand for speed; src/formats/contract/declared.test.ts compares them with `encoding`.
  encodeSteps,
  decode,
  multiply,
  highlight, // finds rows that show what the format is known for
  tally, // counts over a whole matrix that the story mentions
  kernels,
  limits, // what limits the speed of each kernel
});
