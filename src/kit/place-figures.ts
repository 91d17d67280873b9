import type { ComponentType } from 'react';
import type { FigureFacts } from '../core/story/figure-facts.ts';
import type { AppDocument } from '../state/index.ts';

export interface PlaceFigureProps {
  /** of the figure's address */
  readonly document: AppDocument;
  /** the question that is asked about it; null where a paragraph shows it */
  readonly question: string | null;
  /** what answers the question is shown */
  readonly isAnswered: boolean;
  readonly wide: boolean;
}

/** Figures that a place offers to lessons, each at an address of its own. */
export interface PlaceFigures {
  /** Loads what a lesson says of the figure at an address. Rejects with Error where the address shows none. */
  readonly facts: (document: AppDocument) => Promise<FigureFacts>;
  readonly Figure: ComponentType<PlaceFigureProps>;
}
