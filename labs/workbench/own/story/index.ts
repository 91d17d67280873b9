import { FormatError } from '../../../../src/core/errors.ts';
import type { FormatStory } from '../../../../src/story/format-story.ts';
import { withOpening } from '../../../../src/story/opening.ts';
import { questionsOf } from '../../../../src/story/declared/questions.ts';
import { withArrayNames, type UserEncoded, storage } from '../user-encoding.ts';
import { userFormatId, type UserFormatSource, reasonOf } from '../user-format-source.ts';
import { storedBytes } from '../../../../src/story/declared/stored-bytes.ts';
import { scene } from './scene.ts';
import { type DeclaredStep, nameOfStep } from '../../../../src/story/declared/trace.ts';
import { type UserFormatTrace, userFormatTrace } from './trace.ts';

/** The story of a custom format: its module has run on the window (the visible part), and its steps were recorded. */
export function userFormatStory(source: UserFormatSource): FormatStory<Record<string, number | string>, DeclaredStep> {
  const { name, text, description, resultOf } = source;
  return withOpening(
    {
      admits: (m, p) => {
        const outcome = resultOf(m, p, { recorded: true });
        return outcome.kind === 'done'
          ? { ok: true, notes: [] }
          : { ok: false, reason: reasonOf(outcome), remedy: 'Choose another window or parameters.' };
      },
      trace: (m, p) => {
        const outcome = resultOf(m, p, { recorded: true });
        if (outcome.kind !== 'done') throw new FormatError(reasonOf(outcome));
        return userFormatTrace(userFormatId(name), m, outcome.result);
      },
      scene: (t, step) => scene(t as UserFormatTrace, step, text),
      kindOf: (_, step) => ({ ...nameOfStep(step), code: null }),
      bytes: (t) => storedBytes(t as UserFormatTrace),
      questions: questionsOf<UserEncoded>(description.title, ({ encoded }) => storage(encoded), withArrayNames),
    },
    {
      title: description.title,
      ledger: (t) => storage((t as UserFormatTrace).encoded),
      sizeReason: () => 'what its arrays take',
      aboutZeros: 'Its own code decides what is stored.',
    },
  );
}
