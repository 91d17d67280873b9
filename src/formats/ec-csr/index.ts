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
import { type EcCsrEncoded, rules, validate } from './layout.ts';
import { multiply } from './multiply.ts';
import { overlapTasks } from './overlap-tasks.ts';
import { fastOverlaps } from './overlap-wasm.ts';
import type { EcCsrParams } from './params.ts';
import { sizeReason, storage } from './storage.ts';

export const ecCsr = defineFormat<EcCsrEncoded, EcCsrParams>({
  ...card,
  comparison,
  admits,
  encodeSteps: (m, p) => encodeSteps(m, p, fastOverlaps),
  encoder: 'search',
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
  tasks: [overlapTasks],
});
