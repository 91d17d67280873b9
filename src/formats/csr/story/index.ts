import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { encoding } from '../encoding.ts';
import type { CsrParams } from '../params.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type CsrStep, type CsrTrace, trace } from './trace.ts';

/** The story of CSR on a window, loaded when the format is chosen. */
export const story: FormatStory<CsrParams, CsrStep> = withOpening(
  {
    admits: encoding.admits,
    trace,
    scene,
    quotes,
    kindOf,
    questions,
  },
  {
    title: 'CSR',
    ledger: (t) => encoding.storage((t as CsrTrace).encoded),
    sizeReason: (t) => encoding.sizeReason((t as CsrTrace).encoded).text,
    keeps: 'CSR keeps the others, each with its column number.',
  },
);
