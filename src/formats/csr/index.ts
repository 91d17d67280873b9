import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { decode } from './decode.ts';
import { encoding } from './encoding.ts';
import { kernels } from './kernels.ts';
import type { CsrEncoded } from './layout.ts';
import type { CsrParams } from './params.ts';
import limits from './limits.json';
import { multiply } from './multiply.ts';

/** Compressed sparse rows: the usual sparse format, which papers compare with. */
export const csr = defineFormat<CsrEncoded, CsrParams>({
  ...card, // title, parameters, paper
  ...encoding,
  decode,
  multiply,
  kernels,
  limits, // what limits the speed of each kernel
});
