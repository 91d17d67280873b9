import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { encoding } from '../encoding.ts';
import type { BsrParams } from '../params.ts';
import { quotes } from './code.ts';
import { kindOf } from './kinds.ts';
import { scene } from './scene.ts';
import { type BsrStep, type BsrTrace, trace } from './trace.ts';

/** The story of BSR on a window, loaded when the format is chosen. */
export const story: FormatStory<BsrParams, BsrStep> = withOpening(
  { admits: encoding.admits, trace, scene, quotes, kindOf },
  {
    title: 'BSR',
    ledger: (t) => encoding.storage((t as BsrTrace).encoded),
    sizeReason: (t) => encoding.sizeReason((t as BsrTrace).encoded).text,
    keeps: 'BSR keeps whole blocks, with one column number each.',
  },
);
