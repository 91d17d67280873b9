import { type Bar, bars } from '../../../story/flow/bars.ts';
import { tightStack, note, since, stack } from '../../../story/flow/parts.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import type { StoryFrame } from '../../../story/flow/story-frames.ts';
import { fact, stated } from '../../../core/text/stated.ts';
import { WHOLE_MODELS } from '../published.ts';
import type { WindowFacts } from './facts.ts';
import { sketch, boldText } from './shared-parts.ts';

/* The last frame: how much faster whole models are. */

export const SO_WHAT = 'So what';

/** The last frame, the verdict. */
export function worth(f: WindowFacts): StoryFrame {
  const { min, max, fires } = WHOLE_MODELS;
  const times = fact('whole models', (min + max) / 2, 1);
  // Rounded up, since the text has the word 'under'.
  const under = fact('percent that fire in whole models', Math.ceil(100 * Math.max(...fires))); // bounded: two shares
  const model = sketch('a model', [BLOCKS, '+', REST], ['faster', 'as before']);
  const output = tightStack(note('rest', PART), note('who', WHO, { size: 'small' }));
  const body = stack(timeBars(max, min), since(1, stack(model, output)));
  return {
    id: 'verdict',
    chapter: SO_WHAT,
    step: f.t.steps.length,
    moves: [0, 1200],
    text: () => stated`*Whole models are ${times} times as fast*, if under ${under}\u202f% of neurons fire.`,
    show: () => ({ body }),
  };
}

const BLOCKS = { text: 'blocks', tone: 'format', style: 'lit' } as const;
const REST = { text: 'the rest', tone: 'neutral', style: 'lit' } as const;
const PART = 'Blocks are only a part of a model, and the rest does not change.';
const WHO = 'Four models, timed by TwELL\u2019s authors on NVIDIA H100, with tensor cores.';

/** Bars of the times of dense and of TwELL, which is `times` as fast, or from `slowest` to `times` in several cases. */
export function timeBars(times: number, slowest = times): Part {
  const tone = times < 1 ? 'danger' : 'format';
  const spread: Bar['parts'] = slowest < times ? [{ to: 1 / slowest, tone, style: 'plain' }] : [];
  const message = slowest < times ? `${slowest.toFixed(2)} to ${times.toFixed(2)}` : times.toFixed(2);
  const parts = [{ to: 1 / times, tone, style: times < 1 ? 'plain' : 'lit' } as const, ...spread];
  return bars(
    { id: 'times', max: Math.max(1, 1 / slowest), height: 1.9, means: 'time: shorter is better', grow: true },
    [
      { id: 'dense', title: 'dense', parts: [{ to: 1, tone: 'neutral' }] },
      {
        id: 'twell',
        title: 'TwELL',
        strong: true,
        parts,
        after: [boldText(message), { text: ' times as fast', tone: 'neutral' }],
      },
    ],
  );
}
