import type { FormatStory } from '../../../core/format.ts';
import { withOpening } from '../../../core/story/opening.ts';
import { counted, countText } from '../../../core/story/words.ts';
import { admits } from '../encode.ts';
import { blocksAlong } from '../layout.ts';
import { type BsrParams, sizeReason } from '../params.ts';
import { storage } from '../storage.ts';
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
    sizeReason,
    foundReason: (t) => {
      const { window, encoded } = t as BsrTrace;
      const { indices, blockSize } = encoded;
      const all = blocksAlong(window.rows, blockSize) * blocksAlong(window.cols, blockSize);
      const each = (window.nnz / Math.max(1, indices.length)).toFixed(1);
      return `${countText(indices.length)} of ${counted(all, 'block')} hold something, on average ${each} of ${blockSize ** 2} cells`;
    },
  },
);
