import { defineFormat } from '../../core/format.ts';
import { card } from './card.ts';
import { encodingOf } from './encoding.ts';
import { extractSteps } from './extract.ts';
import { facts } from './facts.ts';
import { highlight, tally } from './highlight.ts';
import { kernels } from './kernels.ts';
import limits from './limits.json';
import type { EcCsrEncoded } from './layout.ts';
import { multiply } from './multiply.ts';
import { overlapTasks } from './overlap-tasks.ts';
import { fastOverlaps } from './overlap-wasm.ts';
import type { EcCsrParams } from './params.ts';

/** EC-CSR, the format of EC-SpMV: blocks of rows that share columns, each with one list of short deltas. */
export const ecCsr = defineFormat<EcCsrEncoded, EcCsrParams>({
  ...card, // title, parameters, paper
  ...encodingOf((m, p) => extractSteps(m, p, fastOverlaps())),
  facts,
  multiply,
  highlight, // finds rows that show what the format is known for
  tally, // counts over a whole matrix that the story mentions
  kernels,
  limits, // what limits the speed of each kernel
  tasks: [overlapTasks],
});
