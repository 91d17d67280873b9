import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { admits } from '../encode.ts';
import type { DenseParams } from '../params.ts';
import { sizeReason, storage } from '../storage.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type DenseStep, type DenseTrace, trace } from './trace.ts';

/** The story of the dense format on a window, loaded when the format is chosen. */
export const story: FormatStory<DenseParams, DenseStep> = withOpening(
  {
    admits,
    trace,
    scene,
    quotes,
    kindOf,
    questions,
  },
  {
    title: 'dense',
    ledger: (t) => storage((t as DenseTrace).encoded),
    sizeReason: (t) => sizeReason((t as DenseTrace).encoded).text,
    keeps: 'Dense stores them too, and so needs no indices.',
  },
);
