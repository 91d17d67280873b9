import { derivedStory } from '../../../story/declared/index.ts';
import type { DeclaredStep } from '../../../story/declared/trace.ts';
import { playerFrames } from '../../../story/flow/story-frames.ts';
import { encoding } from '../encoding.ts';
import { fittingRows, overflowOf } from '../overflow.ts';
import { capacityOf, type TwellParams } from '../params.ts';
import { bitsPanel } from './bits.ts';
import { codeOf, quotes } from './code.ts';
import type { TwellTrace } from './facts.ts';
import { questions } from './questions.ts';
import { story as framesOf } from './story.ts';

/** The story of TwELL: an animation of how a small matrix of activations is encoded and multiplied, with its code. */
export const story = derivedStory(encoding, {
  title: 'TwELL',
  matrixKind: 'activations',
  code: codeOf,
  eventOf,
  quotes,
  questions,
  panels: bitsPanel,
  frames: (t: TwellTrace) => playerFrames(framesOf(t), t.window),
  // A matrix that overflows has a story all the same: tokens with a tile that overflows are omitted.
  tracesRejected: (m, p) => overflowOf(m, (p as TwellParams).tileWidth, capacityOf(p as TwellParams)) !== null,
  replacement: (m, p) => fittingRows(m, p as TwellParams),
});

/** The mark of a step: 'differs' (it is unusual) for a full tile; 'refusal', at the end, if some tokens did not fit. */
function eventOf({ encoded: e, rejected }: TwellTrace, step: DeclaredStep): string | null {
  if (step.kind === 'encoded') return rejected ? 'refusal' : null;
  // Of the steps of a tile, only the step of its count, the last, has a text.
  if (step.kind !== 'stored' || step.reason === null) return null;
  const counts = step.elements.map(([, at]) => (e.layout === 'packed' ? e.words[at] : e.counts[at]));
  return counts.includes(capacityOf(e)) && capacityOf(e) > 0 ? 'differs' : null;
}
