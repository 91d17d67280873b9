import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { admits } from '../encode.ts';
import type { CsrParams } from '../params.ts';
import { sizeReason, storage } from '../storage.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type CsrStep, type CsrTrace, trace } from './trace.ts';

/** The story of CSR on a window, loaded when the format is chosen. */
export const story: FormatStory<CsrParams, CsrStep> = withOpening(
  {
    admits,
    trace,
    scene,
    quotes,
    kindOf,
    questions,
  },
  {
    title: 'CSR',
    ledger: (t) => storage((t as CsrTrace).encoded),
    sizeReason: (t) => sizeReason((t as CsrTrace).encoded).text,
    keeps: 'CSR keeps the others, each with its column number.',
  },
);
