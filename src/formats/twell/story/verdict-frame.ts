import { type Bar, bars } from '../../../story/flow/bars.ts';
import { note, stack, tightStack } from '../../../story/flow/parts.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import type { StoryFrame } from '../../../story/flow/story-frames.ts';
import { verdict } from '../../../story/flow/verdict.ts';
import { fact, scoped, stated } from '../../../core/text/stated.ts';
import { WHOLE_MODELS } from '../published.ts';
import { throughBlocks, type WindowFacts } from './facts.ts';
import { boldText } from './shared-parts.ts';

/* The last frame: the bytes and the time of the reader's matrix, and what was published of whole models. */

export const SO_WHAT = 'So what';

/** The last frame: whether TwELL pays for the reader's matrix. */
export function verdictFrame(f: WindowFacts): StoryFrame {
  const { rows, cols } = f.window;
  return verdict({
    title: 'TwELL',
    step: f.t.steps.length,
    timedProduct: 'one block',
    timedWork: 'of the whole feed-forward block',
    isRelevant: () => false, // recorded blocks have a frame of their own, the one before
    othersText(context) {
      const block = throughBlocks(f, context).chosen;
      if (!block) return null;
      const times = fact('times as fast, the timed block', block.format.timesDense, 2);
      const slowest = fact('times as fast, the slowest whole model', WHOLE_MODELS.min, 2);
      const fastest = fact('times as fast, the fastest whole model', WHOLE_MODELS.max, 2);
      return scoped('recorded', stated`A block is ${times} times as fast, models ${slowest}\u2013${fastest}.`);
    },
    window: { rows, cols, nnz: f.fired, stored: f.storedBytes, dense: f.denseBytes },
    otherMatrices: { part: wholeModels },
  });
}

/** The times of whole models, published. */
function wholeModels(): Part {
  const { min, max, maxFiringShare } = WHOLE_MODELS;
  // Rounded up, since the text has the word 'under'.
  const percents = Math.ceil(100 * maxFiringShare);
  const modelsText = `Four whole models, not this matrix: under ${percents}\u202f% of neurons fire.`;
  return stack(
    note('models', modelsText),
    timeBars(max, min),
    tightStack(note('who', WHO, { size: 'small' }), note('in short', IN_SHORT)),
  );
}

const IN_SHORT = 'In short: blocks are only a part of a model, so a whole model gains less.';
const WHO = 'Timed by TwELL\u2019s authors on NVIDIA H100, with tensor cores.';

/** Bars of the times of dense and of TwELL, which is `times` as fast, or from `slowest` to `times` in several cases. */
export function timeBars(times: number, slowest = times): Part {
  const tone = times < 1 ? 'danger' : 'format';
  const spread: Bar['parts'] = slowest < times ? [{ to: 1 / slowest, tone, style: 'plain', text: 'range' }] : [];
  const message = slowest < times ? `${slowest.toFixed(2)} to ${times.toFixed(2)}` : times.toFixed(2);
  const twellBars = [{ to: 1 / times, tone, style: times < 1 ? 'plain' : 'lit' } as const, ...spread];
  return bars(
    { id: 'times', max: Math.max(1, 1 / slowest), height: 1.9, meaning: 'time: shorter is better', grow: true },
    [
      { id: 'dense', title: 'dense', parts: [{ to: 1, tone: 'neutral' }] },
      {
        id: 'twell',
        title: 'TwELL',
        strong: true,
        parts: twellBars,
        after: [boldText(message), { text: ' times as fast', tone: 'neutral' }],
      },
    ],
  );
}
