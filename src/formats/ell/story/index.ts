import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { admits } from '../encode.ts';
import type { EllParams } from '../params.ts';
import { sizeReason, storage } from '../storage.ts';
import { quotes } from './code.ts';
import { kindOf, unusualAt } from './kinds.ts';
import { questions } from './questions.ts';
import { scene } from './scene.ts';
import { type EllStep, type EllTrace, trace } from './trace.ts';

/** The story of ELL on a window, loaded when the format is chosen. */
export const story: FormatStory<EllParams, EllStep> = withOpening(
  {
    admits,
    trace,
    scene,
    quotes,
    kindOf,
    unusualAt,
    questions,
  },
  {
    title: 'ELL',
    ledger: (t) => storage((t as EllTrace).encoded),
    sizeReason: (t) => sizeReason((t as EllTrace).encoded).text,
    keeps: 'ELL keeps the others in rows of equal length.',
  },
);
