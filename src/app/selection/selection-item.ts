import type { ComponentType, ReactNode } from 'react';
import type { PanelName } from '../../kit/frame/shell-context.ts';

/** of: the weights. pruned: the share left of them. a, b: the formats compared. on: the device. tokens: how many. */
export type ItemId = 'of' | 'pruned' | 'a' | 'b' | 'on' | 'tokens';

/** Which button of an item was pressed, or which panel of the matrix picker a command opens. */
export type ItemPart = 'model' | 'layer' | PanelName;

/**
 * An item of the selection bar, which names what the page shows: its label, and what it opens. If the bar is too wide,
 * parts of a label with the class `word-quiet` are hidden, then parts with `word-middle`, replaced by `word-gap`
 * shows '…'.
 */
export interface SelectionItem {
  readonly id: ItemId;
  /** text before the label in the selection bar; also the name of its row in the list of a narrow page */
  readonly before: ReactNode;
  /** name of the item for screen readers, before its label: 'Device' */
  readonly name: string;
  /** text and colour samples, inside a button or inside the selection bar of a narrow page */
  readonly Label: ComponentType;
  /** What the item opens, loaded late. It handles the keys that choose in it; the selection bar closes it on Escape. */
  readonly Popover: ComponentType<PopoverProps>;
  /** draws several buttons itself: each with `data-word={id}`, `className="word"` and the focus of the arrow keys */
  readonly Buttons?: ComponentType<ButtonsProps>;
  /** a button after the label that opens a part of the item */
  readonly Shortcut?: ComponentType<{ readonly onOpen: (part: ItemPart) => void }>;
}

/** Properties of what an item opens. */
export interface PopoverProps {
  /** Closes the popover. The choice is in the document by then. */
  readonly onClose: () => void;
  /** what opened it; null: the item's only button */
  readonly part: ItemPart | null;
  /** shown in the list of a narrow page, between the rows of items, instead of floating below its item */
  readonly isNarrow: boolean;
}

/** Properties of an item that consists of several buttons. */
export interface ButtonsProps {
  readonly isOpen: boolean;
  /** Opens the popover; `part` names the button that was pressed. */
  readonly onOpen: (part?: ItemPart) => void;
}

/** Whether an item is about the matrix. Such an item cannot be changed while the page shows text that a model writes. */
export function namesMatrix(id: ItemId): boolean {
  return id === 'of' || id === 'pruned';
}
