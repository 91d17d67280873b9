import './frame.css';
import { useState } from 'react';
import { plainWords, type Words } from '../../core/story/scene.ts';
import { useShownAnswer } from './shell-context.ts';
import { StyledWords } from '../primitives/Text.tsx';

interface AnswerLineProps {
  /** null until every part of the answer is known */
  readonly words: readonly Words[] | null;
  /** the text before there is a first answer */
  readonly waiting: string;
  /** the subject of the answer: an old answer about another subject is replaced by `waiting` */
  readonly about?: string;
  readonly className?: string | undefined;
  /** false: when the answer changes, another part of the page is announced */
  readonly isAnnounced?: boolean;
}

/** A page's answer about the chosen matrix and formats, in a line or two, dimmed until a newer answer is known. */
export function AnswerLine(props: AnswerLineProps) {
  const { words: newWords, waiting, about = '', className = 'answer-line', isAnnounced = true } = props;
  const [shown, setShown] = useState<{ readonly words: readonly Words[]; readonly about: string } | null>(null);
  const last = shown?.about === about ? shown.words : null;
  // Equal words stay the same object, so that listeners hear of new ones only.
  const isNew = newWords !== null && plainWords(newWords) !== plainWords(last ?? []);
  if (isNew) setShown({ words: newWords, about });
  const words = isNew ? newWords : last;
  useShownAnswer(words);
  return (
    <h2
      className={className}
      aria-live={isAnnounced ? 'polite' : undefined}
      aria-busy={newWords === null}
      data-old={(newWords === null && last !== null) || undefined}
    >
      {words ? <StyledWords words={words} /> : waiting}
    </h2>
  );
}
