import { type SlotLine, slotPanel } from '../../../core/story/scene-parts.ts';
import type { Panel, Tone } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { activationsPanel, FEW_ROWS, type Picture } from './scene-activations.ts';
import type { TwellStep, TwellTrace } from './trace.ts';

export type BackwardStep = Extract<TwellStep, { kind: 'backward' }>;

/** The backward pass: gradients where h is stored, for a token first and then for a neuron. */
export function backwardScene(t: TwellTrace, { about }: BackwardStep): Picture {
  const { row } = t.walk;
  const { column } = t.backward;
  if (about === 'column') {
    const look = (_: number, c: number) => (c === column ? { focus: true } : { focus: false });
    return {
      panels: [
        activationsPanel(t, { row: t.backward.tokens[0]?.row ?? 0, tile: null, whole: true }, look),
        columnPanel(t),
      ],
      links: [],
    };
  }
  return { panels: [activationsPanel(t, { row, tile: null, max: FEW_ROWS }), tokenPanel(t, about)], links: [] };
}

const line = (array: string, tone: Tone, values: ArrayLike<number>, more: Partial<SlotLine> = {}): SlotLine => ({
  array,
  length: values.length,
  tone,
  text: (i) => valueText(values[i]),
  ...more,
});

/** The walked token: its dy, h, and the gradients through each of its non-zeros. Panel id 'gradients'. */
function tokenPanel({ walk, backward, block: { width } }: TwellTrace, about: 'dh' | 'both'): Panel {
  const { entries, dy } = backward;
  const of = (pick: (entry: (typeof entries)[number]) => number): readonly number[] => entries.map(pick);
  const later = { present: () => about === 'both', look: () => ({ focus: true }) };
  return slotPanel({
    id: 'gradients',
    title: `token ${walk.row}, backwards`,
    caption: `its ${entries.length < walk.count ? `first ${entries.length} of ${walk.count}` : walk.count} stored neurons`,
    focus: 0,
    lines: [
      line('dy', 'neutral', dy.subarray(walk.row * width, (walk.row + 1) * width)),
      line(
        'neuron',
        'indices',
        of(({ column }) => column),
      ),
      line(
        'h',
        'values',
        of(({ h }) => h),
      ),
      line(
        'u',
        'neutral',
        of(({ u }) => u),
      ),
      line(
        'd(hu)',
        'format',
        of(({ back }) => back),
        about === 'dh' ? { look: () => ({ focus: true }) } : {},
      ),
      line(
        'du',
        'format',
        of(({ du }) => du),
        later,
      ),
      line(
        'dh',
        'format',
        of(({ dh }) => dh),
        later,
      ),
    ],
  });
}

/** The tokens that fire one neuron, and the gradient of its row of Wd. Panel id 'neuron'. */
function columnPanel({ backward: { column, tokens, gradient } }: TwellTrace): Panel {
  return slotPanel({
    id: 'neuron',
    title: `neuron ${column}, over all tokens`,
    caption: 'a column of h',
    focus: 0,
    lines: [
      line(
        'token',
        'indices',
        tokens.map(({ row }) => row),
      ),
      line(
        'h',
        'values',
        tokens.map(({ h }) => h),
      ),
      line(
        'u',
        'neutral',
        tokens.map(({ u }) => u),
      ),
      line('dWd', 'format', gradient, { look: () => ({ focus: true }) }),
    ],
  });
}
