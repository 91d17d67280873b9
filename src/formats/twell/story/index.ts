import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { encoding } from '../encoding.ts';
import { overflowOf } from '../overflow.ts';
import { capacityOf, type TwellParams } from '../params.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { story as framesOf } from './story.ts';
import { directed } from '../../../core/story/flow/story-frames.ts';
import { trace, type TwellStep, type TwellTrace } from './trace.ts';

/** The story of TwELL on a window of activations, loaded when the format is chosen. */
export const story: FormatStory<TwellParams, TwellStep> = withOpening(
  {
    admits: encoding.admits,
    trace,
    // Tokens that overflow are mentioned and left out.
    tracesRefused: (m, p) => overflowOf(m, p.tileWidth, capacityOf(p)) !== null,
    scene,
    quotes,
    kindOf,
    frames: (t) => directed(framesOf(t as TwellTrace)),
    questions,
  },
  {
    title: 'TwELL',
    ledger: (t) => (t as TwellTrace).ledger,
    sizeReason: (t) => encoding.sizeReason((t as TwellTrace).encoded).text,
    holds: 'activations',
  },
);
