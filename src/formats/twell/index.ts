import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { encoding } from './encoding.ts';
import { facts } from './facts.ts';
import { highlight, tally } from './highlight.ts';
import { kernels } from './kernels.ts';
import type { TwellEncoded } from './layout.ts';
import limits from './limits.json';
import { multiply } from './multiply.ts';
import type { TwellParams } from './params.ts';

/** Tile-wise ELL: every tile of a row packs its non-zeros separately, so that a GEMM can write its output as TwELL. */
export const twell = defineFormat<TwellEncoded, TwellParams>({
  ...card, // title, parameters, paper
  ...encoding,
  multiply,
  highlight, // finds rows that show what the format is known for
  tally, // counts over a whole matrix that the story mentions
  facts,
  kernels,
  limits, // what limits the speed of each kernel
});
