import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { comparison } from './comparison.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { highlight } from './highlight.ts';
import { kernels } from './kernels.ts';
import { leftOut } from './left-out.ts';
import limits from './limits.json';
import { type MackoEncoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import type { MackoParams } from './params.ts';
import { sizeReason, storage } from './storage.ts';

/** Mutually aligned compressed coordinates: values with short skips between columns, for unstructured sparsity of 30 to 90 %. */
export const macko = defineFormat<MackoEncoded, MackoParams>({
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
  highlight,
  kernels,
  limits,
  leftOut,
});
