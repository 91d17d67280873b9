import type { ReactNode } from 'react';
import type { Words } from '../../core/story/scene.ts';
import { useAnswer } from './shell-context.ts';
import { TextButton } from '../controls/Button.tsx';
import { Spoken } from '../primitives/Text.tsx';

/** One format in which an answer can be saved: 'SVG', 'CSV', 'JSON'. */
export interface AnswerExport {
  readonly label: string;
  /** the action, for screen readers: 'Save the chart as SVG' */
  readonly title: string;
  readonly save: () => void;
}

interface AnswerHeadProps {
  /** the subject of the question in a line: '4096 × 11008, f16 · pruned at random · y = A x, one token' */
  readonly about: ReactNode;
  /** one or two sentences that can be quoted; absent if the place has already shown them */
  readonly words?: readonly Words[];
  readonly exports?: readonly AnswerExport[];
}

interface AnswerProps extends AnswerHeadProps {
  readonly words: readonly Words[];
}

/** An `AnswerHead` whose words are also published as the place’s answer. */
export function Answer(props: AnswerProps) {
  useAnswer(props.words);
  return <AnswerHead {...props} />;
}

/** The head of an answer: the subject, the answer in a sentence, and exports. */
export function AnswerHead({ about, words, exports = [] }: AnswerHeadProps) {
  return (
    <header className="answer stack one-column-below-64 items-baseline gap-1-4">
      <p className="quiet size-12">{about}</p>
      {exports.length > 0 && (
        <div className="flex wrap gap-3 quiet size-12">
          {exports.map(({ label, title, save }) => (
            <TextButton key={label} aria-label={title} title={title} onClick={save}>
              {label}
            </TextButton>
          ))}
        </div>
      )}
      {words && (
        <h2 className="answer-sentence span-all size-18 weight-400 pretty max-64" aria-live="polite">
          <Spoken words={words} />
        </h2>
      )}
    </header>
  );
}
