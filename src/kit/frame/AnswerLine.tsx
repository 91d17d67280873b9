import './frame.css';
import { useState, type ReactNode } from 'react';
import { plainWords, type Words } from '../../core/text/words.ts';
import { useVisibleAnswer } from './shell-context.ts';
import { StyledWords } from '../primitives/Text.tsx';
import { TextButton } from '../controls/Button.tsx';

interface AnswerLineProps {
  /** null until every part of the answer is known */
  readonly words: readonly Words[] | null;
  /** the text before there is a first answer */
  readonly waitingText: string;
  /** what the answer is about: an old answer about something else is replaced by `waitingText` */
  readonly topic?: string;
  readonly className?: string | undefined;
  /** false: when the answer changes, another part of the page is announced */
  readonly isAnnounced?: boolean;
}

/** A page's answer about the chosen matrix and formats, in a line or two, dimmed until a newer answer is known. */
export function AnswerLine(props: AnswerLineProps) {
  const { words: newWords, waitingText, topic = '', className = 'answer-line', isAnnounced = true } = props;
  const [visibleAnswer, setVisibleAnswer] = useState<{
    readonly words: readonly Words[];
    readonly topic: string;
  } | null>(null);
  const lastWords = visibleAnswer?.topic === topic ? visibleAnswer.words : null;
  // Equal words stay the same object, so that listeners hear of new ones only.
  const isNew = newWords !== null && plainWords(newWords) !== plainWords(lastWords ?? []);
  if (isNew) setVisibleAnswer({ words: newWords, topic });
  const words = isNew ? newWords : lastWords;
  useVisibleAnswer(words);
  return (
    <h2
      className={className}
      aria-live={isAnnounced ? 'polite' : undefined}
      aria-busy={newWords === null}
      data-old={(newWords === null && lastWords !== null) || undefined}
    >
      {words ? <StyledWords words={words} /> : waitingText}
    </h2>
  );
}

/** A file type in which an answer can be saved: 'SVG', 'CSV', 'JSON'. */
interface AnswerExport {
  readonly label: string;
  /** the action, for screen readers: 'Save the chart as SVG' */
  readonly title: string;
  readonly save: () => void;
}

interface AnswerHeaderProps {
  /** the question's matrix and operation, in a line: '4096 × 11008, f16 · pruned at random · y = A x, one token' */
  readonly topic: ReactNode;
  /** one or two sentences to quote */
  readonly words: readonly Words[];
  readonly exports?: readonly AnswerExport[];
}

/** The header of a page's answer (`useVisibleAnswer`): what it is about, its text, and buttons that export it. */
export function AnswerHeader({ topic, words, exports = [] }: AnswerHeaderProps) {
  useVisibleAnswer(words);
  return (
    <header className="answer grid max-lg:grid-cols-[minmax(0,1fr)] items-baseline gap-y-1 gap-x-4">
      <p className="text-muted text-12">{topic}</p>
      {exports.length > 0 && (
        <div className="flex flex-wrap gap-3 text-muted text-12">
          {exports.map(({ label, title, save }) => (
            <TextButton key={label} aria-label={title} title={title} onClick={save}>
              {label}
            </TextButton>
          ))}
        </div>
      )}
      <h2 className="answer-text col-span-full text-18 font-normal text-pretty max-w-[64rem]" aria-live="polite">
        <StyledWords words={words} />
      </h2>
    </header>
  );
}
