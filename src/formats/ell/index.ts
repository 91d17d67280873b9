import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { comparison } from './comparison.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { kernels } from './kernels.ts';
import { leftOut } from './left-out.ts';
import limits from './limits.json';
import { type EllEncoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import type { EllParams } from './params.ts';
import { sizeReason, storage } from './storage.ts';

/** ELLPACK-R: every row as long as the longest, slot by slot in memory, so that neighbouring lanes read neighbours. */
export const ell = defineFormat<EllEncoded, EllParams>({
  ...card,
  comparison,
  admits,
  encodeSteps,
  decode,
  validate,
  rules,
  storage,
  sizeReason,
  multiply,
  kernels,
  limits,
  leftOut,
});
