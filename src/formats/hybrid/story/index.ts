import { derivedStory } from '../../../core/declared/story/index.ts';
import type { FormatStory } from '../../../core/format.ts';
import { type DeclaredStep, storesIn } from '../../../core/declared/story/trace.ts';
import { encoding } from '../encoding.ts';
import type { HybridEncoded } from '../layout.ts';
import type { HybridParams } from '../params.ts';
import { largerTail, rowCounts, tailRefusal } from '../routing.ts';
import { codeOf, quotes } from './code.ts';
import { questions } from './questions.ts';

const derived = derivedStory<HybridEncoded, HybridParams>(encoding, {
  title: 'hybrid',
  keeps: 'Rows with few non-zeros are packed, others stay dense.',
  holds: 'activations',
  code: codeOf,
  eventOf: (t, step) =>
    step.kind === 'stored' && step.says !== null && storesIn(t, step, 'tailRows') ? 'overflow' : null,
  quotes,
  questions,
});

/** The story of the hybrid on a window of activations, loaded when the format is chosen. */
export const story: FormatStory<HybridParams, DeclaredStep> = {
  ...derived,
  // If the tail is full, the story uses a longer one.
  tracesRefused: (m, p) => tailRefusal(rowCounts(m), m.cols, p) !== null,
  trace(m, p) {
    const counts = rowCounts(m);
    if (tailRefusal(counts, m.cols, p) === null) return derived.trace(m, p);
    return { ...derived.trace(m, { ...p, tailShare: largerTail(counts, m.cols, p) ?? 1 }), refused: m };
  },
};
