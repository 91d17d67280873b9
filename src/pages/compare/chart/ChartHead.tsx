import type { ReactNode } from 'react';
import type { SeriesKind } from '../../../kit/charts/series.ts';
import { SeriesSample } from '../../../kit/charts/SeriesMarks.tsx';
import type { Words } from '../../../core/text/words.ts';
import { StyledWords } from '../../../kit/primitives/Text.tsx';

/** An entry of the legend: a kind of mark, and its meaning. */
type LegendEntry = readonly [kind: SeriesKind, text: string, dashed?: 'dashed'];

export interface ChartHeadProps {
  readonly title: string;
  /** a description of the chart's content; empty if there is none */
  readonly caption: readonly Words[];
  /** the case that the chart is about, or why it is empty */
  readonly note?: ReactNode;
  readonly marks?: readonly LegendEntry[];
  /** controls at the right end */
  readonly tools: ReactNode;
}

/** The line above a chart of Compare: its title, a description of its content, and the legend. */
export function ChartHead({ title, caption, note, marks = [], tools }: ChartHeadProps) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-y-2 gap-x-6">
      <div className="flex-[1_1_30rem] flex flex-wrap items-baseline gap-x-3 min-w-0">
        <h2>{title}</h2>
        {caption.length > 0 && (
          <p>
            <StyledWords words={caption} />
          </p>
        )}
        {note && <p className="text-muted">{note}</p>}
        {marks.length > 0 && (
          <ul className="flex flex-wrap gap-y-1 gap-x-4 text-12 text-muted">
            {marks.map(([kind, text, dashed]) => (
              <li key={text} className="flex items-center gap-2">
                <SeriesSample kind={kind} dashed={dashed !== undefined} />
                <span>{text}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {tools}
    </div>
  );
}
