import type { ComponentType } from 'react';
import type { Words } from '../core/story/scene.ts';
import type { AppDocument } from '../state/index.ts';
import type { Story } from '../state/played-story.ts';
import type { Player } from '../state/player.ts';

/** What a place tells in place of the stage: steps in chapters, each with a picture and a sentence; by frames, where it has them. */
export interface PlaceStory extends Story {
  /** what is told, and of what, for the line above it */
  readonly title: string;
  readonly about: string;
  /** the step that is shown where nobody asked for one */
  readonly opening: number;
  /** the sentence of a step, from 0 to `stepCount` */
  words(step: number): readonly Words[];
}

export interface PlaceShowProps {
  /** of the story, once there is one */
  readonly player: Player;
  /** Says what is told; null while there is nothing yet. */
  readonly onStory: (story: PlaceStory | null) => void;
  /** in a frame of another page, where nothing is computed before a person asks for it */
  readonly isFramed: boolean;
}

/** What a place shows full screen, in frames of other pages and as files. */
export interface PlaceShow {
  /** whether it has a picture of its own of what is shown; else that of the stage is taken */
  readonly has: (document: AppDocument) => boolean;
  readonly Picture: ComponentType<PlaceShowProps>;
  /** sections of the dialog that exports; default: none */
  readonly Files?: ComponentType;
}
