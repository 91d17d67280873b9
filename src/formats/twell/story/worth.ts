import { type Bar, bars } from '../../../core/story/flow/bars.ts';
import { close, note, since, stack } from '../../../core/story/flow/parts.ts';
import type { Part } from '../../../core/story/flow/room.ts';
import type { StoryFrame } from '../../../core/story/flow/story-frames.ts';
import { againstDense, EXACT_RATIOS } from '../../../core/story/flow/verdict.ts';
import { type FrameContext, isRefused } from '../../../core/story/frames.ts';
import { shareText } from '../../../core/story/rounded.ts';
import { fact, stated } from '../../../core/story/stated.ts';
import { capitalised } from '../../../core/story/words.ts';
import { WHOLE_MODELS } from '../published.ts';
import { firesIn, type WindowFacts } from './facts.ts';
import { tinted } from './shared-parts.ts';

/* The last frame: how much faster whole models are, and how few neurons have to fire. */

export const SO_WHAT = 'So what';
export const thisTitle = ({ whole }: FrameContext): string => (whole ? 'this matrix' : 'this cut');

/** The frame of the verdict. */
export function worth(f: WindowFacts): StoryFrame {
  const times = fact('whole models', (WHOLE_MODELS.min + WHOLE_MODELS.max) / 2, 1);
  return {
    id: 'verdict',
    chapter: SO_WHAT,
    step: f.t.steps.length,
    moves: [0, 1200],
    say: () => stated`*Worth it only if few fire*: the authors\u2019 whole models are ${times} times as fast.`,
    show: (context) => ({ body: modelTimes(f, context) }),
  };
}

/** Published models below their own dense, and how many neurons fire in them. */
function modelTimes(f: WindowFacts, context: FrameContext): Part {
  const { min, max, fires, deadShare } = WHOLE_MODELS;
  const said = `${max.toFixed(2)} to ${min.toFixed(2)} times as fast`;
  const times = [
    { id: 'dense', title: 'dense', times: 1, said: 'with tensor cores' },
    { id: 'model', title: 'TwELL', times: max, minTimes: min, slowest: 'the slowest of the four', said, isOwn: true },
  ];
  const rarely = fires.reduce((largest, share) => Math.max(largest, share), 0);
  // Known to be below a whole percent.
  const bound = Math.ceil(100 * rarely) / 100;
  const own = firesIn(context.whole ?? f.window);
  const than =
    own <= rarely ? 'as rarely as in theirs. Not timed.' : 'more than in theirs. Not timed: expect less, or nothing.';
  const against = `${shareText(own)} fire, ${isRefused(context) ? 'and the matrix is refused.' : than}`;
  const under = `under ${100 * bound}\u202f%`;
  const their: Bar['parts'] = [{ to: bound, tone: 'values', look: 'outline' }];
  const here: Bar['parts'] = [{ to: own, tone: 'values', look: 'plain' }];
  const trained = { text: '  ReLU, and trained to fire rarely', tone: 'neutral' } as const;
  const lines: readonly Bar[] = [
    { id: 'those', title: 'their models', parts: their, after: [tinted(under), trained] },
    { id: 'here', title: thisTitle(context), parts: here, after: [tinted(shareText(own))] },
  ];
  const dead = `training has a penalty on what fires, L1. Over ${shareText(deadShare)} of neurons then never fire, yet their weights are stored.`;
  return stack(
    bars(
      { id: 'fires', max: Math.max(own, bound), height: 1.6, means: 'neurons that fire: fewer is better' },
      f.cells > 0 ? lines : lines.slice(0, 1),
    ),
    since(
      1,
      stack(
        note('who', [
          tinted('Timed by TwELL\u2019s authors on a GPU, NVIDIA H100: '),
          { text: 'four whole models, as good at tasks as dense ones.' },
        ]),
        againstDense('times', times, false),
        close(
          note('rest', [tinted('Why not more? '), { text: REST }]),
          note('price', [tinted('The price: '), { text: dead }]),
          f.cells > 0 ? note('own', [tinted(`${capitalised(thisTitle(context))}: ${against}`)]) : null,
          note('source', EXACT_RATIOS, { size: 'small' }),
        ),
      ),
    ),
  );
}

const REST =
  'Gate is computed in full, the rest of the model as before. Unlike dense, up and down run without tensor cores.';
