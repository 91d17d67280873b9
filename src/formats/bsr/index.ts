import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { decode } from './decode.ts';
import { encoding } from './encoding.ts';
import { facts } from './facts.ts';
import { kernels } from './kernels.ts';
import type { BsrEncoded } from './layout.ts';
import type { BsrParams } from './params.ts';
import limits from './limits.json';
import { multiply } from './multiply.ts';

/** Block compressed sparse rows: CSR whose entries are small dense blocks, the structure that block pruning leaves. */
export const bsr = defineFormat<BsrEncoded, BsrParams>({
  ...card, // title, parameters, paper
  ...encoding,
  decode,
  multiply,
  facts,
  kernels,
  limits, // what limits the speed of each kernel
});
