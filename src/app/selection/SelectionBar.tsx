import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { TypeAheadBuffer } from '../../kit/browser/TypeAheadBuffer.tsx';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { writingModel } from '../../kit/frame/shell-context.ts';
import { previewedFormat } from './FormatLabel.tsx';
import { useRequestedItem } from './requested-item.ts';
import { namesMatrix, type SelectionItem, type ItemId, type ItemPart } from './selection-item.ts';
import { SELECTION_ITEMS } from './SelectionItems.tsx';

/** Parts that are hidden last. If the selection bar needs two lines even without them, they are shown again. */
const LAST_OMITTED = ['b', 'on', 'random'];
/**
 * Hidden in this order until the selection bar fits one line: the quiet part of an item, by its id, or a part named in
 * selection.css.
 */
const OMISSION_ORDER = ['pruned', 'shape', 'swap', 'a', 'load', 'middle', ...LAST_OMITTED];

/** Hides parts of the selection bar if it is too wide; `data-less` names the hidden ones for the style sheet. */
function useFittingParts(barRef: RefObject<HTMLElement | null>, itemCount: number): void {
  useLayoutEffect(() => {
    const bar = barRef.current;
    const line = bar?.querySelector<HTMLElement>('.selection-items');
    if (!bar || !line) return;
    const hideParts = (): void => {
      for (let count = 0; count <= OMISSION_ORDER.length; count++) {
        bar.setAttribute('data-less', OMISSION_ORDER.slice(0, count).join(' '));
        if (line.scrollWidth <= line.clientWidth) return;
      }
      bar.setAttribute(
        'data-less',
        [...OMISSION_ORDER.filter((part) => !LAST_OMITTED.includes(part)), 'line'].join(' '),
      );
    };
    hideParts();
    const observer = new ResizeObserver(hideParts);
    observer.observe(bar);
    for (const item of line.children) observer.observe(item);
    return () => observer.disconnect();
    // Another number of items means other elements to observe.
  }, [barRef, itemCount]);
}

/** The item whose popover is open. */
interface OpenedItem {
  readonly id: ItemId;
  /** the button of the item that opened it, or the matrix picker's panel; null: the item's only button */
  readonly part: ItemPart | null;
  /** from the left edge of the selection bar, px */
  readonly left: number;
}

/** Moves the focus to the content: after a choice, and after any use of the pointer. */
function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}

/** The selection bar below the header: matrix, formats and device. Each of its items opens a list of others. */
export function SelectionBar({
  items,
  isPlain,
}: {
  readonly items: readonly SelectionItem[];
  readonly isPlain: boolean;
}) {
  const { session } = useApp();
  const [open, setOpen] = useState<OpenedItem | null>(null);
  const barRef = useRef<HTMLElement>(null);
  const byPointer = useRef(false);
  useFittingParts(barRef, items.length);
  useEffect(() => (barRef.current ? underlineChanges(barRef.current) : undefined), []);

  const leave = (): void => {
    setOpen(null);
    previewedFormat.setState(null, true);
  };
  const close = (toContent = byPointer.current): void => {
    if (!open) return;
    leave();
    if (toContent) focusContent();
    else
      buttonsIn(barRef.current)
        .findLast(({ dataset }) => dataset.word === open.id)
        ?.focus();
  };
  const show = (id: ItemId, part: ItemPart | null): void => {
    if (open?.id === id && open.part === part) return close();
    previewedFormat.setState(null, true);
    const button = barRef.current?.querySelector(`[data-item='${id}'] .word`);
    const left = button?.getBoundingClientRect().left ?? 0;
    setOpen({ id, part, left: left - (barRef.current?.getBoundingClientRect().left ?? 0) });
  };
  useRequestedItem(({ item, part }) => show(item, part));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    byPointer.current = false;
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (event.key === 'Escape' && open) {
      event.preventDefault();
      return close(false);
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !target?.matches('.word')) return;
    if (event.key === 'ArrowDown') target.click();
    else if (event.key.startsWith('Arrow')) {
      const buttons = buttonsIn(barRef.current);
      buttons[nextButton(buttons.indexOf(target), buttons.length, event.key)]?.focus();
    } else return;
    event.preventDefault();
  };

  return (
    // The keys and presses belong to the buttons inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={barRef}
      className="selection"
      data-plain={isPlain || undefined}
      aria-label="Selection"
      onKeyDown={onKeyDown}
      onPointerDown={() => (byPointer.current = true)}
    >
      {/* The margin is for focus rings. */}
      <p className="selection-items flex items-center gap-2 whitespace-nowrap min-w-0 flex-1 overflow-clip [overflow-clip-margin:4px] in-data-[less~=line]:flex-wrap in-data-[less~=line]:gap-y-1">
        {items.map((item) => (
          <ItemSlot
            key={item.id}
            item={item}
            isPlain={isPlain}
            isOpen={open?.id === item.id}
            onOpen={(part) => show(item.id, part)}
            onSwap={() => {
              session.swap();
              if (byPointer.current) focusContent();
            }}
          />
        ))}
      </p>
      {open && <Popover key={`${open.id} ${open.part}`} open={open} onClose={close} onLeave={leave} />}
    </section>
  );
}

/** The buttons of all items, which the arrow keys go through. */
function buttonsIn(bar: HTMLElement | null): readonly HTMLElement[] {
  return [...(bar?.querySelectorAll<HTMLElement>('.selection-items .word') ?? [])];
}

interface ItemSlotProps {
  readonly item: SelectionItem;
  /** on the first screen: each item is a single button, and there is no button that swaps A and B */
  readonly isPlain: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (part: ItemPart | null) => void;
  readonly onSwap: () => void;
}

/** An item of the selection bar: the text before it, its button or buttons, its shortcut, and after B the button 'swap'. */
function ItemSlot({ item, isPlain, isOpen, onOpen, onSwap }: ItemSlotProps) {
  const { id, before, name, Label, Buttons, Shortcut } = item;
  const isAlone = useDocument((doc) => doc.formatB === null);
  // While a page shows text that a model writes, the selection bar names this model.
  const isFixed = useStore(writingModel, (writing) => writing !== null && namesMatrix(id));
  return (
    <span className="flex items-center gap-2 flex-none" data-item={id}>
      {id !== 'of' && <span className="word-before text-muted">{before}</span>}
      {isFixed ? (
        <span>
          <Label />
        </span>
      ) : Buttons && !isPlain ? (
        <Buttons isOpen={isOpen} onOpen={(part) => onOpen(part ?? null)} />
      ) : (
        <button
          type="button"
          className="word"
          data-word={id}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => onOpen(null)}
        >
          <span className="unseen">{name}: </span>
          <Label />
        </button>
      )}
      {Shortcut && !isFixed && <Shortcut onOpen={onOpen} />}
      {id === 'b' && !isPlain && !isAlone && (
        <button
          type="button"
          className="word word--swap text-muted min-w-6"
          title="Swap A and B (X)"
          aria-keyshortcuts="X"
          onClick={onSwap}
        >
          swap
        </button>
      )}
    </span>
  );
}

interface PopoverBoxProps {
  readonly open: OpenedItem;
  readonly onClose: (toContent?: boolean) => void;
  /** Called when the focus has moved elsewhere, where it stays. */
  readonly onLeave: () => void;
}

/** The popover of an item: below it, within the page. A press outside closes it. */
function Popover({ open, onClose, onLeave }: PopoverBoxProps) {
  const { id, part, left } = open;
  const boxRef = useRef<HTMLDivElement>(null);
  const { name, Popover: Content } = SELECTION_ITEMS.find((item) => item.id === id) ?? SELECTION_ITEMS[0];
  useEffect(() => {
    const box = boxRef.current;
    const bar = box?.parentElement;
    if (!box || !bar) return;
    const place = (): void => {
      box.style.left = `${Math.max(16, Math.min(left, bar.clientWidth - box.offsetWidth - 16))}px`;
      box.style.maxHeight = `${window.innerHeight - bar.getBoundingClientRect().bottom - 16}px`;
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(box);
    observer.observe(bar);
    return () => observer.disconnect();
  }, [left]);
  return (
    <>
      <div
        className="fixed inset-x-0 top-(--veil-top,6rem) bottom-0 z-13 bg-ground/72"
        aria-hidden="true"
        onPointerDown={() => onClose(true)}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it observes where the focus goes */}
      <div
        ref={boxRef}
        className="absolute top-[calc(100%-2px)] z-14 max-w-[calc(100vw-2rem)] border border-ink overscroll-contain text-13 overflow-x-hidden overflow-y-auto bg-ground shadow-float rounded-[8px]"
        role="dialog"
        aria-label={name}
        onBlur={({ relatedTarget, currentTarget }) => {
          // Close when focus moves elsewhere; pressing plain text moves it nowhere.
          if (relatedTarget instanceof Element && !currentTarget.contains(relatedTarget)) onLeave();
        }}
      >
        <Boundary
          name={`The word “${name}”`}
          onClose={onClose}
          waiting={
            <TypeAheadBuffer>
              <p className="py-3 px-4 text-muted">Loading</p>
            </TypeAheadBuffer>
          }
        >
          <Content part={part} isNarrow={false} onClose={() => onClose(true)} />
        </Boundary>
      </div>
    </>
  );
}

/** The index, among `count` buttons, to which an arrow key moves from `at`; it wraps around. */
export function nextButton(at: number, count: number, key: string): number {
  if (key === 'ArrowRight') return (at + 1) % count;
  return key === 'ArrowLeft' ? (at - 1 + count) % count : at;
}

/** Underlines the button of an item for a second when its text changes. Returns a function that ends this. */
function underlineChanges(bar: HTMLElement): () => void {
  const observer = new MutationObserver((changes) => {
    // Changes before the first key or press come from loading.
    if (navigator.userActivation?.hasBeenActive === false) return;
    const elements = changes.map(({ target }) => (target instanceof Element ? target : target.parentElement));
    for (const button of new Set(elements.map((element) => element?.closest('.word:not(.word--swap)')))) {
      if (!button || typeof button.animate !== 'function') continue;
      const line = 'inset 0 -2px var(--text)';
      button.animate(
        [{ boxShadow: line }, { boxShadow: line, offset: 0.8 }, { boxShadow: 'inset 0 -2px transparent' }],
        {
          duration: 1000,
        },
      );
    }
  });
  observer.observe(bar, { subtree: true, childList: true, characterData: true });
  return () => observer.disconnect();
}
