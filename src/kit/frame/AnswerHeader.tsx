import type { ReactNode } from 'react';
import type { Words } from '../../core/story/scene.ts';
import { useShownAnswer } from './shell-context.ts';
import { TextButton } from '../controls/Button.tsx';
import { StyledWords } from '../primitives/Text.tsx';

/** A file type in which an answer can be saved: 'SVG', 'CSV', 'JSON'. */
interface AnswerExport {
  readonly label: string;
  /** the action, for screen readers: 'Save the chart as SVG' */
  readonly title: string;
  readonly save: () => void;
}

interface AnswerHeaderProps {
  /** the subject of the question in a line: '4096 × 11008, f16 · pruned at random · y = A x, one token' */
  readonly about: ReactNode;
  /** one or two sentences that can be quoted */
  readonly words: readonly Words[];
  readonly exports?: readonly AnswerExport[];
}

/** The header of a page's answer (`useShownAnswer`): its subject, its sentences, and buttons that export it. */
export function AnswerHeader({ about, words, exports = [] }: AnswerHeaderProps) {
  useShownAnswer(words);
  return (
    <header className="answer grid max-lg:grid-cols-[minmax(0,1fr)] items-baseline gap-y-1 gap-x-4">
      <p className="text-muted text-12">{about}</p>
      {exports.length > 0 && (
        <div className="flex flex-wrap gap-3 text-muted text-12">
          {exports.map(({ label, title, save }) => (
            <TextButton key={label} aria-label={title} title={title} onClick={save}>
              {label}
            </TextButton>
          ))}
        </div>
      )}
      <h2 className="answer-sentence col-span-full text-18 font-normal text-pretty max-w-[64rem]" aria-live="polite">
        <StyledWords words={words} />
      </h2>
    </header>
  );
}
