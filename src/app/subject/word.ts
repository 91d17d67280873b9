import type { ComponentType, ReactNode } from 'react';

export type WordId = 'of' | 'pruned' | 'a' | 'b' | 'on' | 'tokens';

/** Whether a word says what is multiplied: a place that shows the text of another model says it itself, and changes it. */
export function isOfMatrix(word: WordId): boolean {
  return word === 'of' || word === 'pruned';
}

export interface PopoverProps {
  /** Closes it; what was chosen is in the document by then. */
  readonly onClose: () => void;
  /** which of the word's own buttons opened it: see `Buttons`; null for the word as a whole */
  readonly part: string | null;
  /** in the list of a narrow page, between the rows of other words, and not floating under its own */
  readonly inList: boolean;
}

export interface ButtonsProps {
  readonly isOpen: boolean;
  /** Opens the popover; `part` says to the word itself which of its buttons did. */
  readonly onOpen: (part?: string) => void;
}

/**
 * A word of the sentence. Parts of its label with the class `word-quiet` go when the sentence is too wide, then those
 * with the class `word-middle`, in whose place `word-gap` appears.
 */
export interface Word {
  readonly id: WordId;
  /** what comes before it in the sentence, and names its row in the list of a narrow page */
  readonly before: ReactNode;
  /** names its button for screen readers, with the label behind it: 'Matrix' */
  readonly name: string;
  /** text and swatches, as the sentence has them: inside a button, and inside the folded sentence of a narrow page */
  readonly Label: ComponentType;
  /** Its code is loaded late. It says itself which keys choose in it; the sentence closes it on Escape. */
  readonly Popover: ComponentType<PopoverProps>;
  /**
   * A word of several buttons draws them itself, each with `data-word={id}`, `className="word"` and the focus that arrows
   * of the sentence give it.
   */
  readonly Buttons?: ComponentType<ButtonsProps>;
  /** what is one press away, behind the word */
  readonly Beside?: ComponentType<{ readonly onOpen: (part: string) => void }>;
}
