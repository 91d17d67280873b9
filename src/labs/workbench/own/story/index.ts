import { FormatError } from '../../../../core/errors.ts';
import type { FormatStory } from '../../../../core/format.ts';
import { withOpening } from '../../../../core/story/opening.ts';
import type { StepKind } from '../../../../core/story/step-kind.ts';
import { storage } from '../encoded.ts';
import { ownId, type OwnSource, reasonOf } from '../source.ts';
import { scene } from './scene.ts';
import { type OwnStep, type OwnTrace, ownTrace } from './trace.ts';
import type { ByteClass } from '../../../../core/encoded/ledger.ts';
import { bytesQuestion } from '../../../../core/story/bytes-question.ts';
import type { Question } from '../../../../core/story/question.ts';
import { listText } from '../../../../core/story/words.ts';

/** What can be asked about any module: its arrays say what their elements take. */
function questionsOf(title: string): readonly Question[] {
  const bytes = bytesQuestion<OwnTrace>({
    title,
    ledger: ({ encoded }) => storage(encoded),
    hint: ({ run }) =>
      `Its elements are ${listText(run.chosen.arrays.map(({ name, type }) => `${type.name} in ${name}`))}.`,
    stores: storedFirst,
    span(t) {
      const shows = 1 + t.steps.findIndex(({ detail }) => detail.kind === 'encoded');
      return { before: shows - 1, shows };
    },
    forgotten: ['indices', 'metadata'],
  });
  return [bytes];
}

/** The step in which something of this class is first stored. */
function storedFirst({ steps, stores, run: { encoding } }: OwnTrace, of: ByteClass): number {
  const isOf = (at: number): boolean =>
    of === 'padding' ? stores.isPadding[at] === 1 : encoding.arrays[stores.array[at]].array.byteClass === of;
  const first = steps.findIndex(({ detail }) => {
    if (detail.kind !== 'told' && detail.kind !== 'stored') return detail.kind === 'encoded';
    for (let at = detail.from; at < detail.to; at++) if (isOf(at)) return true;
    return false;
  });
  return first + 1;
}

/** The story of a format of one's own on a window, from what was recorded of it. */
export function ownStory(source: OwnSource): FormatStory<Record<string, number | string>, OwnStep> {
  const { name, text, description, runOf } = source;
  return withOpening(
    {
      admits: (m, p) => {
        const outcome = runOf(m, p, true);
        return outcome.kind === 'done'
          ? { ok: true, notes: [] }
          : { ok: false, reason: reasonOf(outcome), remedy: 'Choose another window or parameters.' };
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
      keeps: 'Its own code says what is stored.',
    },
  );
}

function kindOf(t: { readonly steps: readonly unknown[] }, step: OwnStep): StepKind {
  switch (step.kind) {
    case 'told':
    case 'stored': {
      if (step.cell !== null) return { name: 'non-zero', code: null };
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
