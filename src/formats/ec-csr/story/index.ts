import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { encoding } from '../encoding.ts';
import type { EcCsrParams } from '../params.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { frames } from './script.ts';
import { type EcCsrStep, type EcCsrTrace, trace } from './trace.ts';

/** The story of EC-SpMV on a window, loaded when the format is chosen. */
export const story: FormatStory<EcCsrParams, EcCsrStep> = withOpening(
  { admits: encoding.admits, trace, scene, quotes, kindOf, questions, frames },
  {
    title: 'EC-SpMV',
    ledger: (t) => encoding.storage((t as EcCsrTrace).encoded),
    sizeReason: (t) => encoding.sizeReason((t as EcCsrTrace).encoded).text,
  },
);
