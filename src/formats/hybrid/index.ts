import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { encoding } from './encoding.ts';
import { facts } from './facts.ts';
import { highlight } from './highlight.ts';
import { kernels } from './kernels.ts';
import type { HybridEncoded } from './layout.ts';
import limits from './limits.json';
import { multiply } from './multiply.ts';
import { type HybridParams, larger } from './params.ts';

/** The hybrid: compact ELL for rows with few non-zeros, a dense tail for the others; for activations in training. */
export const hybrid = defineFormat<HybridEncoded, HybridParams>({
  ...card, // title, parameters, paper
  ...encoding,
  larger, // the parameters to retry with when slots or tail are full
  multiply,
  highlight, // finds a window for the story that shows what is special about the format
  facts, // further numbers about an encoding
  kernels,
  limits, // what limits the speed of each kernel
});
