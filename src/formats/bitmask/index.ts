import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { comparison } from './comparison.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { kernels } from './kernels.ts';
import { leftOut } from './left-out.ts';
import limits from './limits.json';
import { type BitmaskEncoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { type BitmaskParams, sizeReason } from './params.ts';
import { storage } from './storage.ts';

/** One bit per cell, followed by the non-zeros: cheap indices as long as the matrix is not very sparse. */
export const bitmask = defineFormat<BitmaskEncoded, BitmaskParams>({
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
