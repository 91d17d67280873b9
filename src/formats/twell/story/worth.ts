import { bars } from '../../../story/flow/bars.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import type { StoryFrame } from '../../../story/flow/story-frames.ts';
import { verdict } from '../../../story/flow/verdict.ts';
import { WHOLE_MODELS } from '../published.ts';
import type { WindowFacts } from './facts.ts';
import { boldText } from './shared-parts.ts';

/* The last frame: the bytes and the time of the reader's matrix, and what was published of whole models. */

export const SO_WHAT = 'So what';

/** The last frame, the verdict. */
export function worth(f: WindowFacts): StoryFrame {
  const { rows, cols } = f.window;
  return verdict({
    title: 'TwELL',
    step: f.t.steps.length,
    what: 'one block',
    timed: 'of the whole feed-forward block',
    isRelevant: () => false,
    window: { rows, cols, nnz: f.fired, stored: f.storedBytes, dense: f.denseBytes },
    published: publishedText(),
    others: { part: () => null },
  });
}

function publishedText(): string {
  const { min, max, fires } = WHOLE_MODELS;
  // Rounded up, since the text has the word 'under'.
  const under = Math.ceil(100 * Math.max(...fires)); // bounded: two shares
  return `Whole models are ${min.toFixed(2)} to ${max.toFixed(2)} times as fast if under ${under}\u202f% of neurons fire, timed by TwELL\u2019s authors on NVIDIA H100, with tensor cores. Blocks are only a part of a model.`;
}

/** Bars of the times of dense and of TwELL, which is `times` as fast. */
export function timeBars(times: number): Part {
  return bars({ id: 'times', max: Math.max(1, 1 / times), height: 1.9, means: 'time: shorter is better', grow: true }, [
    { id: 'dense', title: 'dense', parts: [{ to: 1, tone: 'neutral' }] },
    {
      id: 'twell',
      title: 'TwELL',
      strong: true,
      parts: [{ to: 1 / times, tone: times < 1 ? 'danger' : 'format', style: times < 1 ? 'plain' : 'lit' }],
      after: [boldText(times.toFixed(2)), { text: ' times as fast', tone: 'neutral' }],
    },
  ]);
}
