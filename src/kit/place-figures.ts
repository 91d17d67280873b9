import type { ComponentType } from 'react';
import type { FigureFacts } from '../core/story/figure-facts.ts';
import type { AppDocument } from '../state/index.ts';

/** Properties of a figure that a place (a page of the application, such as Compare) draws in a lesson. */
export interface PlaceFigureProps {
  /** what the figure's address contains */
  readonly document: AppDocument;
  /** the id of the question about the figure; null if a paragraph shows the figure */
  readonly question: string | null;
  /** whether the answer to the question is shown */
  readonly isAnswered: boolean;
  readonly wide: boolean; // text and figure are side by side
}

/** The figures that a place offers to lessons, each with an address of its own. */
export interface PlaceFigures {
  /** Loads the facts about the figure at an address. Rejects with Error if the address has no figure. */
  readonly facts: (document: AppDocument) => Promise<FigureFacts>;
  readonly Figure: ComponentType<PlaceFigureProps>;
}
