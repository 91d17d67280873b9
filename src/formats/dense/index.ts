import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { columnsKernel } from './columns-kernel.ts';
import { decode } from './decode.ts';
import { admits, encodeSteps } from './encode.ts';
import { kernels } from './kernels.ts';
import limits from './limits.json';
import { encoding } from './encoding.ts';
import type { DenseEncoded } from './layout.ts';
import { multiply } from './multiply.ts';
import type { DenseParams } from './params.ts';
import { comparison, sizeReason, storage } from './storage.ts';

/** The dense format stores every cell, zeros included. All other formats are compared with dense. */
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
  kernels: [...kernels, columnsKernel], // the package has the first alone
  limits, // what limits the speed of each kernel
});
