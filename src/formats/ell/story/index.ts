import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { encoding } from '../encoding.ts';
import type { EllParams } from '../params.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type EllStep, type EllTrace, trace } from './trace.ts';

/** The story of ELL on a window, loaded when the format is chosen. */
export const story: FormatStory<EllParams, EllStep> = withOpening(
  {
    admits: encoding.admits,
    trace,
    scene,
    quotes,
    kindOf,
    questions,
  },
  {
    title: 'ELL',
    ledger: (t) => encoding.storage((t as EllTrace).encoded),
    sizeReason: (t) => encoding.sizeReason((t as EllTrace).encoded).text,
    keeps: 'ELL keeps the others in rows of equal length.',
  },
);
