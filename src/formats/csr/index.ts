import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { comparison } from './comparison.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { kernels } from './kernels.ts';
import { leftOut } from './left-out.ts';
import limits from './limits.json';
import { type CsrEncoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import type { CsrParams } from './params.ts';
import { sizeReason, storage } from './storage.ts';

/** Compressed sparse rows: the format of the field, and the baseline of the papers. */
export const csr = defineFormat<CsrEncoded, CsrParams>({
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
