import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { admits } from '../encode.ts';
import type { BsrParams } from '../params.ts';
import { sizeReason, storage } from '../storage.ts';
import { quotes } from './code.ts';
import { kindOf, unusualAt } from './kinds.ts';
import { scene } from './scene.ts';
import { type BsrStep, type BsrTrace, trace } from './trace.ts';

/** The story of BSR on a window, loaded when the format is chosen. */
export const story: FormatStory<BsrParams, BsrStep> = withOpening(
  { admits, trace, scene, quotes, kindOf, unusualAt },
  {
    title: 'BSR',
    ledger: (t) => storage((t as BsrTrace).encoded),
    sizeReason: (t) => sizeReason((t as BsrTrace).encoded).text,
    keeps: 'BSR keeps whole blocks, with one column number each.',
  },
);
