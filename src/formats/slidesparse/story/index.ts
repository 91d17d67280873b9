import type { FormatStory } from '../../../core/format.ts';
import { admitValues } from '../../../core/encoded/admission.ts';
import { directed } from '../../../core/story/flow/story-frames.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { encoding, firstFullGroup } from '../encoding.ts';
import { type SlideSparseParams, sizeReason } from '../params.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { story as framesOf } from './story.ts';
import { type SlideSparseStep, type SlideSparseTrace, trace } from './trace.ts';

/** The story of SlideSparse on a window, loaded when the format is chosen. */
export const story: FormatStory<SlideSparseParams, SlideSparseStep> = withOpening(
  {
    admits: encoding.admits,
    trace,
    // A window that is too full is pruned in the first chapter; only NaN and infinities in i8 prevent a story.
    tracesRefused: (m, p) => firstFullGroup(m, p) !== null && admitValues(m, p.valueType).ok,
    scene,
    frames: (t) => directed(framesOf(t as SlideSparseTrace)),
    quotes,
    kindOf,
    questions,
  },
  {
    title: 'SlideSparse',
    ledger: (t) => (t as SlideSparseTrace).ledger,
    sizeReason: (t) => sizeReason((t as SlideSparseTrace).encoded, (t as SlideSparseTrace).encoded).text,
  },
);
