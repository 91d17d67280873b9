import { type Bar, bars } from '../../../core/story/flow/bars.ts';
import { close, note, since, stack } from '../../../core/story/flow/parts.ts';
import type { Part } from '../../../core/story/flow/room.ts';
import type { StoryFrame } from '../../../core/story/flow/story-frames.ts';
import { againstDense, EXACT_RATIOS } from '../../../core/story/flow/verdict.ts';
import { type FrameContext, isRefused } from '../../../core/story/frames.ts';
import { shareText } from '../../../core/story/rounded.ts';
import { fact, stated } from '../../../core/story/stated.ts';
import { WHOLE_MODELS } from '../published.ts';
import { firesIn, type WindowFacts } from './facts.ts';
import { tinted } from './shared-parts.ts';

/* The last frame: how much faster whole models are, and how few neurons have to fire. */

export const SO_WHAT = 'So what';
/** The longest title of a bar: those of the frame before leave as much room. */
export const MODEL = 'whole model, TwELL';
export const thisTitle = ({ whole }: FrameContext): string => (whole ? 'this matrix' : 'this cut');

export function worth(f: WindowFacts): StoryFrame {
  const times = fact('whole models', (WHOLE_MODELS.min + WHOLE_MODELS.max) / 2, 1);
  return {
    id: 'verdict',
    chapter: SO_WHAT,
    step: f.t.steps.length,
    moves: [0, 1200],
    say: () => stated`*Worth it only if few fire*: less work makes whole models ${times} times as fast.`,
    show: (context) => ({ body: modelTimes(f, context) }),
  };
}

/** Published models below their own dense, and how many neurons fire in them. */
function modelTimes(f: WindowFacts, context: FrameContext): Part {
  const { min, max, fires, deadShare } = WHOLE_MODELS;
  const times = [
    { id: 'dense', title: 'whole model, dense', times: 1, said: 'with tensor cores' },
    {
      id: 'model',
      title: MODEL,
      times: max,
      minTimes: min,
      said: `${min.toFixed(2)} to ${max.toFixed(2)} times as fast`,
      isOwn: true,
    },
  ];
  const rarely = fires.reduce((largest, share) => Math.max(largest, share), 0);
  const own = firesIn(context.whole ?? f.window);
  const against = isRefused(context)
    ? 'refused'
    : own <= rarely
      ? 'as rarely as in those'
      : 'more than in those: not timed';
  const line = (id: string, title: string, part: Bar['parts'][number], share: string, said: string): Bar => {
    return { id, title, parts: [part], after: [tinted(share), { text: `  ${said}`, tone: 'neutral' }] };
  };
  const under = `under ${Math.ceil(100 * rarely)}\u202f%`;
  const lines = [
    line(
      'those',
      'the authors\u2019 models',
      { to: rarely, tone: 'values' },
      under,
      'ReLU, trained to fire rarely by L1',
    ),
    ...(f.cells > 0 ? [line('here', thisTitle(context), { to: own, tone: 'values' }, shareText(own), against)] : []),
    line('silu', 'SiLU, not ReLU', { to: 1, tone: 'neutral', look: 'plain' }, 'nearly all', 'almost never exactly 0'),
  ];
  const dead = `in training, L1 adds what fires to the loss. Over ${shareText(deadShare)} of neurons then never fire at all, yet their weights are stored.`;
  const besides = times.map(({ title }) => title);
  const look = {
    id: 'fires',
    max: 1,
    height: 1.2,
    means: 'neurons that fire: fewer is better',
    isAlone: true,
    besides,
  };
  return stack(
    bars(look, lines),
    since(
      1,
      stack(
        againstDense(
          'times',
          times,
          lines.map(({ title }) => title),
        ),
        close(
          note('rest', [tinted('Why not more? '), { text: REST }]),
          note('price', [tinted('The price: '), { text: dead }]),
        ),
      ),
    ),
    note(
      'source',
      `By TwELL\u2019s authors, on NVIDIA H100: four models, as good at tasks as dense ones. ${EXACT_RATIOS}`,
      {
        size: 'small',
      },
    ),
  );
}

const REST =
  'Gate is computed in full, the rest of the model as before. Up and down run without tensor cores; dense has them everywhere.';
