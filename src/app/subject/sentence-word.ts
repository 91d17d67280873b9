import type { ComponentType, ReactNode } from 'react';
import { createStore } from 'zustand/vanilla';
import type { FormatChoice } from '../../state/index.ts';

export type WordId = 'of' | 'pruned' | 'a' | 'b' | 'on' | 'tokens';

/** Whether a word names the matrix. A place that runs another model names its own matrix, and offers the change itself. */
export function namesMatrix(word: WordId): boolean {
  return word === 'of' || word === 'pruned';
}

/** The choice under the cursor of an open chooser: the sentence shows it until the chooser closes. */
export const previewedFormat = createStore<{ readonly side: 'a' | 'b'; readonly stored: FormatChoice } | null>(
  () => null,
);

export interface PopoverProps {
  /** Closes the popover. The choice is in the document by then. */
  readonly onClose: () => void;
  /** which button of the word opened it: see `Buttons`; null for the word itself */
  readonly part: string | null;
  /** shown in the list of a narrow page, between the rows of words, instead of floating below its word */
  readonly inList: boolean;
}

export interface ButtonsProps {
  readonly isOpen: boolean;
  /** Opens the popover; `part` names the button that was pressed. */
  readonly onOpen: (part?: string) => void;
}

/**
 * A word of the sentence. If the sentence is too wide, the parts of its label with the class `word-quiet` are hidden, then
 * those with `word-middle`, which `word-gap` replaces.
 */
export interface SentenceWord {
  readonly id: WordId;
  /** text before it in the sentence; also the name of its row in the list of a narrow page */
  readonly before: ReactNode;
  /** its name for screen readers, before its label: 'Matrix' */
  readonly name: string;
  /** text and colour samples, inside a button or inside the folded sentence of a narrow page */
  readonly Label: ComponentType;
  /** Loaded late. It handles the keys that choose in it; the sentence closes it on Escape. */
  readonly Popover: ComponentType<PopoverProps>;
  /** draws several buttons itself: each with `data-word={id}`, `className="word"` and the focus of the arrow keys */
  readonly Buttons?: ComponentType<ButtonsProps>;
  /** a shortcut after the word */
  readonly Shortcut?: ComponentType<{ readonly onOpen: (part: string) => void }>;
}
