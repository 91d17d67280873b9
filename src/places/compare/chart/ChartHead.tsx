import type { ReactNode } from 'react';
import type { Words } from '../../../core/story/scene.ts';

interface ChartHeadProps {
  readonly title: string;
  /** what the picture says, in a sentence or two; nothing where it is empty */
  readonly said: readonly Words[];
  /** what lines and dots are */
  readonly note: ReactNode;
  /** what else can be shown, at the end of the line */
  readonly tools: ReactNode;
}

/** The line above the chart: what it shows, what it says, and how to read it. */
export function ChartHead({ title, said, note, tools }: ChartHeadProps) {
  return (
    <div className="left-top">
      <div className="left-head">
        <h2 className="left-title">{title}</h2>
        {said.length > 0 && (
          <p className="left-said">
            {said.map(({ text, strong }, i) => {
              // The whole sentence changes at once: a word's place in it is all that a key can be.
              const key = `${i} ${text}`;
              return strong ? <strong key={key}>{text}</strong> : <span key={key}>{text}</span>;
            })}
          </p>
        )}
        <p className="left-note">{note}</p>
      </div>
      {tools}
    </div>
  );
}
