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
import { framesOf } from './story.ts';

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
  // A matrix that overflows has a story all the same, of the tokens that fit.
  tracesRejected: (m, p) => overflowOf(m, (p as TwellParams).tileWidth, capacityOf(p as TwellParams)) !== null,
  replacement: (m, p) => fittingRows(m, p as TwellParams),
});

/**
 * The event of a step, by which stops of the player are chosen: 'differs' when a tile is full, 'refusal' at the end of the
 * encoding if tokens were left out because a tile of them overflows.
 */
function eventOf({ encoded: e, rejected }: TwellTrace, step: DeclaredStep): string | null {
  if (step.kind === 'encoded') return rejected ? 'refusal' : null;
  // Of the steps that store a tile, only the last, which stores its count, has a reason.
  if (step.kind !== 'stored' || step.reason === null) return null;
  const counts = step.elements.map(([, at]) => (e.layout === 'packed' ? e.words[at] : e.counts[at]));
  return counts.includes(capacityOf(e)) && capacityOf(e) > 0 ? 'differs' : null;
}
