import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { encoding } from '../encoding.ts';
import type { HybridParams } from '../params.ts';
import { rowCounts, tailRefusal } from '../routing.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type HybridStep, type HybridTrace, trace } from './trace.ts';

/** The story of the hybrid on a window of activations, loaded when the format is chosen. */
export const story: FormatStory<HybridParams, HybridStep> = withOpening(
  {
    admits: encoding.admits,
    trace,
    // If the tail is full, the story uses a longer one.
    tracesRefused: (m, p) => tailRefusal(rowCounts(m), m.cols, p) !== null,
    scene,
    quotes,
    kindOf,
    questions,
  },
  {
    title: 'hybrid',
    ledger: (t) => encoding.storage((t as HybridTrace).encoded),
    sizeReason: (t) => encoding.sizeReason((t as HybridTrace).encoded).text,
    keeps: 'Rows with few non-zeros are packed, others stay dense.',
    holds: 'activations',
  },
);
