import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { kernels } from './kernels.ts';
import limits from './limits.json';
import { encoding } from './encoding.ts';
import type { DenseEncoded } from './layout.ts';
import { multiply } from './multiply.ts';
import type { DenseParams } from './params.ts';
import { comparison, sizeReason, storage } from './storage.ts';

/** The dense format: every cell, zeros included. The others are compared with it. */
export const dense = defineFormat<DenseEncoded, DenseParams>({
  ...card, // title, parameters, paper
  comparison,
  admits,
  encodeSteps,
  decode,
  validate: (e, level) => encoding.validate(e, level),
  rules: encoding.rules,
  storage,
  sizeReason,
  multiply,
  kernels,
  limits, // what takes the time of each kernel
});
