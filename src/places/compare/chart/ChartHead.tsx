import type { ReactNode } from 'react';

interface ChartHeadProps {
  readonly title: string;
  /** what the picture says, in pieces of a sentence */
  readonly said: readonly { readonly before: string; readonly strong: string }[];
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
            {said.map(({ before, strong }, i) => (
              <span key={`${before}${strong}`}>
                {i > 0 && ', '}
                {before}
                <strong>{strong}</strong>
              </span>
            ))}
            .
          </p>
        )}
        <p className="left-note">{note}</p>
      </div>
      {tools}
    </div>
  );
}
