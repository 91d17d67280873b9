import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { comparison } from './comparison.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { facts } from './facts.ts';
import { kernels } from './kernels.ts';
import { leftOut } from './left-out.ts';
import limits from './limits.json';
import { type BsrEncoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import type { BsrParams } from './params.ts';
import { sizeReason, storage } from './storage.ts';

export const bsr = defineFormat<BsrEncoded, BsrParams>({
  ...card,
  comparison,
  admits,
  encodeSteps,
  decode,
  validate,
  rules,
  storage,
  sizeReason,
  facts,
  multiply,
  kernels,
  limits,
  leftOut,
});
