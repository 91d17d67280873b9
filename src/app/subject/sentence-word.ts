import type { ComponentType, ReactNode } from 'react';
import type { PanelName } from '../../kit/frame/shell-context.ts';

/**
 * The words of the sentence: 'of' names the weights, 'pruned' what is left of them, 'a' and 'b' the formats, 'on' the
 * device.
 */
export type WordId = 'of' | 'pruned' | 'a' | 'b' | 'on' | 'tokens';

/** Which button of a word was pressed, or which panel of the chooser a command opens. */
export type WordPart = 'model' | 'layer' | PanelName;

/**
 * A word of the sentence below the header: its label, and what it opens. If the sentence is too wide, parts of a label
 * with the class `word-quiet` are hidden, then those with `word-middle`, which `word-gap` replaces.
 */
export interface SentenceWord {
  readonly id: WordId;
  /** text before it in the sentence; also the name of its row in the list of a narrow page */
  readonly before: ReactNode;
  /** its name for screen readers, before its label: 'Matrix' */
  readonly name: string;
  /** text and colour samples, inside a button or inside the folded sentence of a narrow page */
  readonly Label: ComponentType;
  /** What the word opens, loaded late. It handles the keys that choose in it; the sentence closes it on Escape. */
  readonly Popover: ComponentType<PopoverProps>;
  /** draws several buttons itself: each with `data-word={id}`, `className="word"` and the focus of the arrow keys */
  readonly Buttons?: ComponentType<ButtonsProps>;
  /** a shortcut after the word */
  readonly Shortcut?: ComponentType<{ readonly onOpen: (part: WordPart) => void }>;
}

/** Properties of what a word opens. */
export interface PopoverProps {
  /** Closes the popover. The choice is in the document by then. */
  readonly onClose: () => void;
  /** what opened it; null: the word itself */
  readonly part: WordPart | null;
  /** shown in the list of a narrow page, between the rows of words, instead of floating below its word */
  readonly inList: boolean;
}

/** Properties of a word that consists of several buttons. */
export interface ButtonsProps {
  readonly isOpen: boolean;
  /** Opens the popover; `part` names the button that was pressed. */
  readonly onOpen: (part?: WordPart) => void;
}

/** Whether a word names the matrix. It is fixed while a place runs a model of its own. */
export function namesMatrix(word: WordId): boolean {
  return word === 'of' || word === 'pruned';
}
