import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { admits } from '../encode.ts';
import { type BitmaskParams, sizeReason } from '../params.ts';
import { storage } from '../storage.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type BitmaskStep, type BitmaskTrace, trace } from './trace.ts';

/** The story of the bitmask format on a window, loaded when the format is chosen. */
export const story: FormatStory<BitmaskParams, BitmaskStep> = withOpening(
  {
    admits,
    trace,
    scene,
    quotes,
    kindOf,
    questions,
  },
  {
    title: 'bitmask',
    ledger: (t) => storage((t as BitmaskTrace).encoded),
    sizeReason: (t) => sizeReason((t as BitmaskTrace).encoded).text,
    keeps: 'Bitmask keeps the others, and one bit per place.',
  },
);
