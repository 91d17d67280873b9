import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { encoding } from '../encoding.ts';
import type { BitmaskParams } from '../params.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type BitmaskStep, type BitmaskTrace, trace } from './trace.ts';

/** The story of the bitmask format on a window, loaded when the format is chosen. */
export const story: FormatStory<BitmaskParams, BitmaskStep> = withOpening(
  {
    admits: encoding.admits,
    trace,
    scene,
    quotes,
    kindOf,
    questions,
  },
  {
    title: 'bitmask',
    ledger: (t) => encoding.storage((t as BitmaskTrace).encoded),
    sizeReason: (t) => encoding.sizeReason((t as BitmaskTrace).encoded).text,
    keeps: 'Bitmask keeps the others, and one bit per place.',
  },
);
