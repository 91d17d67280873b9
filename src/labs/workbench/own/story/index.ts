import { FormatError } from '../../../../core/errors.ts';
import type { FormatStory } from '../../../../core/format.ts';
import { withOpening } from '../../../../core/story/opening.ts';
import type { StepKind } from '../../../../core/story/step-kind.ts';
import { storage } from '../encoded.ts';
import { ownId, type OwnSource, reasonOf } from '../source.ts';
import { questionsOf } from './questions.ts';
import { scene } from './scene.ts';
import { type OwnStep, type OwnTrace, ownTrace } from './trace.ts';

/** The story of a format of one's own on a window, from what was recorded of it. */
export function ownStory(source: OwnSource): FormatStory<Record<string, number | string>, OwnStep> {
  const { name, text, description, runOf } = source;
  return withOpening(
    {
      admits: (m, p) => {
        const outcome = runOf(m, p, true);
        return outcome.kind === 'done'
          ? { ok: true, notes: [] }
          : { ok: false, reason: reasonOf(outcome), remedy: 'Choose another window or other parameters.' };
      },
      trace: (m, p) => {
        const outcome = runOf(m, p, true);
        if (outcome.kind !== 'done') throw new FormatError(reasonOf(outcome));
        return ownTrace(ownId(name), m, outcome.result);
      },
      scene: (t, step) => scene(t as OwnTrace, step, text),
      kindOf,
      questions: questionsOf(description.title),
    },
    {
      title: description.title,
      ledger: (t) => storage((t as OwnTrace).encoded),
      sizeReason: () => 'what its arrays take',
    },
  );
}

function kindOf(t: { readonly steps: readonly unknown[] }, step: OwnStep): StepKind {
  switch (step.kind) {
    case 'told':
    case 'stored': {
      if (step.cell !== null) return { name: 'non-zero', isCounted: true, code: null };
      const { stores } = t as unknown as OwnTrace;
      const isPadding = step.to > step.from && stores.isPadding[step.to - 1] === 1;
      return isPadding ? { name: 'padding', event: 'padding', code: null } : { name: 'bookkeeping', code: null };
    }
    case 'encoded':
      return { name: 'all bytes', code: null };
    case 'product':
      return { name: 'decode puts a cell', code: null };
    case 'multiplied':
      return { name: 'y is complete', code: null };
  }
}
