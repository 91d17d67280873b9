import type { FormatStory } from '../../../core/format.ts';
import { directed } from '../../../core/story/flow/story-frames.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { encoding } from '../encoding.ts';
import type { EcCsrParams } from '../params.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { story as framesOf } from './story.ts';
import { type EcCsrStep, type EcCsrTrace, trace } from './trace.ts';

/** The story of EC-SpMV on a window, loaded when the format is chosen. */
export const story: FormatStory<EcCsrParams, EcCsrStep> = withOpening(
  {
    admits: encoding.admits,
    trace,
    scene,
    quotes,
    kindOf,
    questions,
    frames: (t) => directed(framesOf(t as EcCsrTrace)),
  },
  {
    title: 'EC-SpMV',
    ledger: (t) => encoding.storage((t as EcCsrTrace).encoded),
    sizeReason: (t) => encoding.sizeReason((t as EcCsrTrace).encoded).text,
  },
);
