import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { comparison } from './comparison.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { facts } from './facts.ts';
import { highlight } from './highlight.ts';
import { kernels } from './kernels.ts';
import { leftOut } from './left-out.ts';
import limits from './limits.json';
import { type SlideSparseEncoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { type SlideSparseParams, sizeReason } from './params.ts';
import { storage } from './storage.ts';

/** (2N-2):2N sparsity slid into 2:4 windows and compressed: two of four values and two bits for each. */
export const slideSparse = defineFormat<SlideSparseEncoded, SlideSparseParams>({
  ...card,
  comparison,
  admits,
  encodeSteps,
  decode,
  validate,
  rules,
  storage,
  sizeReason: (e) => sizeReason(e, e),
  facts,
  multiply,
  highlight,
  kernels,
  limits,
  leftOut,
});
