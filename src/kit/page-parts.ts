import type { ComponentType } from 'react';
import type { FigureFacts } from '../story/figure-facts.ts';
import type { Words } from '../core/text/words.ts';
import type { AppDocument, Story, Player } from '../state/index.ts';

/** Properties of a figure that a page (such as Compare) draws in a lesson. */
export interface PageFigureProps {
  /** what the figure's address contains */
  readonly document: AppDocument;
  /** the id of the question about the figure; null if a paragraph shows the figure */
  readonly question: string | null;
  /** whether the answer to the question is shown */
  readonly isAnswered: boolean;
  readonly isWide: boolean; // text and figure are side by side
}

/** The figures that a page offers to lessons, each with its address. */
export interface PageFigures {
  /** Loads the facts about the figure at an address. Rejects with Error if the address has no figure. */
  readonly facts: (document: AppDocument) => Promise<FigureFacts>;
  readonly Figure: ComponentType<PageFigureProps>;
}

/** A story that a page (such as Write) shows instead of a format's story: steps in chapters, each with a text. */
export interface PageStory extends Story {
  readonly title: string;
  /** what the story is about, in a line */
  readonly description: string;
  /** the step that is shown at first */
  readonly opening: number;
  /** the text of a step, from 0 to `stepCount` */
  words(step: number): readonly Words[];
}

/** Properties of the component that draws such a story. */
export interface PageShowProps {
  /** plays the story that `onStory` gave it */
  readonly player: Player;
  /** Passes the story to the player; null while there is none. */
  readonly onStory: (story: PageStory | null) => void;
  /** embedded in another page, where nothing is computed before the user starts it */
  readonly isEmbedded: boolean;
}

/** What a page shows full screen, embedded in other pages and in exported files, instead of the format's story. */
export interface PageShow {
  /** whether there is a story for the document; if not, the format's story is shown */
  readonly has: (document: AppDocument) => boolean;
  readonly Picture: ComponentType<PageShowProps>;
  /** sections for the export dialog; default: none */
  readonly Files?: ComponentType;
}
