import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { encoding } from './encoding.ts';
import { kernels } from './kernels.ts';
import type { EllEncoded } from './layout.ts';
import type { EllParams } from './params.ts';
import limits from './limits.json';
import { multiply } from './multiply.ts';

/** ELLPACK-R: every row as long as the longest, slot by slot in memory, so that neighbouring lanes read neighbours. */
export const ell = defineFormat<EllEncoded, EllParams>({
  ...card, // title, parameters, paper
  ...encoding,
  multiply,
  kernels,
  limits, // what limits the speed of each kernel
});
