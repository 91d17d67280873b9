import { derivedStory } from '../../../core/declared/story/index.ts';
import { directed } from '../../../core/story/flow/story-frames.ts';
import { encoding } from '../encoding.ts';
import { fittingRows, overflowOf } from '../overflow.ts';
import { capacityOf, type TwellParams } from '../params.ts';
import { bitsPanel } from './bits.ts';
import { codeOf, quotes } from './code.ts';
import type { TwellTrace } from './facts.ts';
import { questions } from './questions.ts';
import { story as framesOf } from './story.ts';

/** The story of TwELL on a window of activations, loaded when the format is chosen. */
export const story = derivedStory(encoding, {
  title: 'TwELL',
  holds: 'activations',
  code: codeOf,
  quotes,
  questions,
  panels: bitsPanel,
  frames: (t: TwellTrace) => directed(framesOf(t)),
  tracesRefused: (m, p) => overflowOf(m, (p as TwellParams).tileWidth, capacityOf(p as TwellParams)) !== null,
  // Tokens that overflow are left out.
  windowOf: (m, p) => fittingRows(m, p as TwellParams),
});
