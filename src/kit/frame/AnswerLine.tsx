import './answer-line.css';
import { useState } from 'react';
import type { Words } from '../../core/story/scene.ts';
import { useAnswer } from './shell-context.ts';

interface AnswerLineProps {
  /** null while something that it says is not known */
  readonly words: readonly Words[] | null;
  /** what is said before there is a first answer */
  readonly waiting: string;
  /** what the answer names: one that names something else is not shown until the new one is there, but `waiting` */
  readonly about?: string;
  readonly className?: string | undefined;
  /** false: something else on the page is announced as it changes */
  readonly isAnnounced?: boolean;
}

/** What a place answers to the sentence, in a line or two; the old answer is dimmed until the new one is there. */
export function AnswerLine(props: AnswerLineProps) {
  const { words: fresh, waiting, about = '', className = 'answer-line', isAnnounced = true } = props;
  const [said, setSaid] = useState<{ readonly words: readonly Words[]; readonly about: string } | null>(null);
  const last = said?.about === about ? said.words : null;
  // The same words are the same object: others hear of new ones only.
  const isNew = fresh !== null && textOf(fresh) !== textOf(last ?? []);
  if (isNew) setSaid({ words: fresh, about });
  const words = isNew ? fresh : last;
  useAnswer(words);
  return (
    <h2
      className={className}
      aria-live={isAnnounced ? 'polite' : undefined}
      aria-busy={fresh === null}
      data-old={(fresh === null && last !== null) || undefined}
    >
      {words?.map((word, i) => {
        // The whole sentence changes at once: a word's place in it is all that a key can be.
        const key = `${i} ${word.text}`;
        return word.strong ? <strong key={key}>{word.text}</strong> : <span key={key}>{word.text}</span>;
      }) ?? waiting}
    </h2>
  );
}

function textOf(words: readonly Words[]): string {
  return words.map(({ text }) => text).join('');
}
