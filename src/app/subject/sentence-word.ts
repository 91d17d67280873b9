import type { ComponentType, ReactNode } from 'react';

/** The words of the sentence, as the page and its style sheet name them: the weights, their pruning, A, B, the device, the tokens. */
export type WordId = 'of' | 'pruned' | 'a' | 'b' | 'on' | 'tokens';

/**
 * A word of the sentence below the header, as 'MACKO' in 'weights … in MACKO against dense': its label, and what it opens. If the
 * sentence is too wide, the parts of a label with the class `word-quiet` are hidden, then those with `word-middle`.
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

/** Properties of what a word opens. */
export interface PopoverProps {
  /** Closes the popover. The choice is in the document by then. */
  readonly onClose: () => void;
  /** which button of the word opened it: see `Buttons`; null for the word itself */
  readonly part: string | null;
  /** shown in the list of a narrow page, between the rows of words, instead of floating below its word */
  readonly inList: boolean;
}

/** Properties of a word that consists of several buttons. */
export interface ButtonsProps {
  readonly isOpen: boolean;
  /** Opens the popover; `part` names the button that was pressed. */
  readonly onOpen: (part?: string) => void;
}

/** Whether a word names the matrix. While a place writes with another model, the sentence names that model, and cannot change it. */
export function namesMatrix(word: WordId): boolean {
  return word === 'of' || word === 'pruned';
}
