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
import { type HybridEncoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { type HybridParams, larger } from './params.ts';
import { sizeReason, storage } from './storage.ts';

/** A compact ELL for rows with few non-zeros and a dense tail for the others: what training keeps of the activations. */
export const hybrid = defineFormat<HybridEncoded, HybridParams>({
  ...card,
  comparison,
  admits,
  larger,
  encodeSteps,
  decode,
  validate,
  rules,
  storage,
  sizeReason,
  facts,
  multiply,
  highlight,
  kernels,
  limits,
  leftOut,
});
