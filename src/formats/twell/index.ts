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
import { type TwellEncoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { type TwellParams, sizeReason } from './params.ts';
import { storage } from './storage.ts';

/** Tile-wise ELL: every tile of a row packs its non-zeros separately, so that a GEMM can store its output in it. */
export const twell = defineFormat<TwellEncoded, TwellParams>({
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
