import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { decode } from './decode.ts';
import { encoding } from './encoding.ts';
import { kernels } from './kernels.ts';
import type { BitmaskEncoded } from './layout.ts';
import type { BitmaskParams } from './params.ts';
import limits from './limits.json';
import { multiply } from './multiply.ts';

/** One bit per cell, followed by the non-zeros: cheap indices as long as the matrix is not very sparse. */
export const bitmask = defineFormat<BitmaskEncoded, BitmaskParams>({
  ...card, // title, parameters, paper
  ...encoding,
  decode,
  multiply,
  kernels,
  limits, // what limits the speed of each kernel
});
