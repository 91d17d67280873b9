import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useApp, useDocument } from '../../kit/app-context.ts';
import { TypeAheadBuffer } from '../../kit/browser/TypeAheadBuffer.tsx';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { writingModel } from '../../kit/frame/shell-context.ts';
import { previewedFormat } from './FormatLabel.tsx';
import { useRequestedWord } from './requested-word.ts';
import { namesMatrix, type SelectionItem, type WordId, type WordPart } from './selection-item.ts';
import { SELECTION_ITEMS } from './SelectionItems.tsx';

/** Parts that are hidden last. If the selection bar needs two lines even without them, they are shown again. */
const LAST_OMITTED = ['b', 'on', 'random'];
/**
 * Hidden in this order until the selection bar fits one line: the quiet part of a word, by its id, or a part named in
 * subject.css.
 */
const OMISSION_ORDER = ['pruned', 'shape', 'swap', 'a', 'load', 'middle', ...LAST_OMITTED];

/** Hides parts of the selection bar if it is too wide; `data-less` names the hidden ones for the style sheet. */
function useFittingParts(message: RefObject<HTMLElement | null>, wordCount: number): void {
  useLayoutEffect(() => {
    const section = message.current;
    const line = section?.querySelector<HTMLElement>('.selection-items');
    if (!section || !line) return;
    const hideParts = (): void => {
      for (let count = 0; count <= OMISSION_ORDER.length; count++) {
        section.setAttribute('data-less', OMISSION_ORDER.slice(0, count).join(' '));
        if (line.scrollWidth <= line.clientWidth) return;
      }
      section.setAttribute(
        'data-less',
        [...OMISSION_ORDER.filter((part) => !LAST_OMITTED.includes(part)), 'line'].join(' '),
      );
    };
    hideParts();
    const observer = new ResizeObserver(hideParts);
    observer.observe(section);
    for (const place of line.children) observer.observe(place);
    return () => observer.disconnect();
    // Another number of words means other elements to observe.
  }, [message, wordCount]);
}

/** The word whose popover is open. */
interface OpenedWord {
  readonly word: WordId;
  /** the button of the word that opened it, or the matrix picker's panel; null: the word itself */
  readonly part: WordPart | null;
  /** from the left edge of the selection bar, px */
  readonly left: number;
}

/** Moves the focus to the content: after a choice, and after any use of the pointer. */
function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true });
}

/** The selection bar below the header: matrix, formats and device. Each of its words opens a list of others. */
export function SelectionBar({
  words,
  isPlain,
}: {
  readonly words: readonly SelectionItem[];
  readonly isPlain: boolean;
}) {
  const { session } = useApp();
  const [open, setOpen] = useState<OpenedWord | null>(null);
  const element = useRef<HTMLElement>(null);
  const byPointer = useRef(false);
  useFittingParts(element, words.length);
  useEffect(() => (element.current ? underlineChanges(element.current) : undefined), []);

  const leave = (): void => {
    setOpen(null);
    previewedFormat.setState(null, true);
  };
  const close = (toContent = byPointer.current): void => {
    if (!open) return;
    leave();
    if (toContent) focusContent();
    else
      wordsIn(element.current)
        .findLast(({ dataset }) => dataset.word === open.word)
        ?.focus();
  };
  const show = (word: WordId, part: WordPart | null): void => {
    if (open?.word === word && open.part === part) return close();
    previewedFormat.setState(null, true);
    const place = element.current?.querySelector(`[data-item='${word}'] .word`);
    const left = place?.getBoundingClientRect().left ?? 0;
    setOpen({ word, part, left: left - (element.current?.getBoundingClientRect().left ?? 0) });
  };
  useRequestedWord(({ word, part }) => show(word, part));
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
      const words = wordsIn(element.current);
      words[nextWord(words.indexOf(target), words.length, event.key)]?.focus();
    } else return;
    event.preventDefault();
  };

  return (
    // The keys and presses belong to the buttons inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={element}
      className="selection"
      data-plain={isPlain || undefined}
      aria-label="Selection"
      onKeyDown={onKeyDown}
      onPointerDown={() => (byPointer.current = true)}
    >
      {/* The margin is for focus rings. */}
      <p className="selection-items flex items-center gap-2 whitespace-nowrap min-w-0 flex-1 overflow-clip [overflow-clip-margin:4px] in-data-[less~=line]:flex-wrap in-data-[less~=line]:gap-y-1">
        {words.map((word) => (
          <ItemSlot
            key={word.id}
            word={word}
            isPlain={isPlain}
            isOpen={open?.word === word.id}
            onOpen={(part) => show(word.id, part)}
            onSwap={() => {
              session.swap();
              if (byPointer.current) focusContent();
            }}
          />
        ))}
      </p>
      {open && <Popover key={`${open.word} ${open.part}`} open={open} onClose={close} onLeave={leave} />}
    </section>
  );
}

function wordsIn(element: HTMLElement | null): readonly HTMLElement[] {
  return [...(element?.querySelectorAll<HTMLElement>('.selection-items .word') ?? [])];
}

interface ItemSlotProps {
  readonly word: SelectionItem;
  /** on the first screen: each word is a single button, and there is no button that swaps A and B */
  readonly isPlain: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (part: WordPart | null) => void;
  readonly onSwap: () => void;
}

/** A word in the selection bar: the text before it, its button or buttons, and the text after it. */
function ItemSlot({ word, isPlain, isOpen, onOpen, onSwap }: ItemSlotProps) {
  const { id, before, name, Label, Buttons, Shortcut } = word;
  const isAlone = useDocument((doc) => doc.against === null);
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
  readonly open: OpenedWord;
  readonly onClose: (toContent?: boolean) => void;
  /** Called when the focus has moved elsewhere, where it stays. */
  readonly onLeave: () => void;
}

/** The popover of a word: below it, within the page. A press outside closes it. */
function Popover({ open, onClose, onLeave }: PopoverBoxProps) {
  const { word, part, left } = open;
  const element = useRef<HTMLDivElement>(null);
  const { name, Popover: Content } = SELECTION_ITEMS.find(({ id }) => id === word) ?? SELECTION_ITEMS[0];
  useEffect(() => {
    const box = element.current;
    const message = box?.parentElement;
    if (!box || !message) return;
    const place = (): void => {
      box.style.left = `${Math.max(16, Math.min(left, message.clientWidth - box.offsetWidth - 16))}px`;
      box.style.maxHeight = `${window.innerHeight - message.getBoundingClientRect().bottom - 16}px`;
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(box);
    observer.observe(message);
    return () => observer.disconnect();
  }, [left]);
  return (
    <>
      <div
        className="fixed inset-x-0 top-(--veil-top,6rem) bottom-0 z-13 bg-ground/72"
        aria-hidden="true"
        onPointerDown={() => onClose(true)}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it hears where the focus goes */}
      <div
        ref={element}
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

/** The index, among `count` words, to which an arrow key moves from `at`; it wraps around. */
export function nextWord(at: number, count: number, key: string): number {
  if (key === 'ArrowRight') return (at + 1) % count;
  return key === 'ArrowLeft' ? (at - 1 + count) % count : at;
}

/** Underlines each word for a second when it changes. Returns a function that ends this. */
function underlineChanges(message: HTMLElement): () => void {
  const observer = new MutationObserver((changes) => {
    // Changes before the first key or press come from loading.
    if (navigator.userActivation?.hasBeenActive === false) return;
    const elements = changes.map(({ target }) => (target instanceof Element ? target : target.parentElement));
    for (const word of new Set(elements.map((element) => element?.closest('.word:not(.word--swap)')))) {
      if (!word || typeof word.animate !== 'function') continue;
      const line = 'inset 0 -2px var(--text)';
      word.animate([{ boxShadow: line }, { boxShadow: line, offset: 0.8 }, { boxShadow: 'inset 0 -2px transparent' }], {
        duration: 1000,
      });
    }
  });
  observer.observe(message, { subtree: true, childList: true, characterData: true });
  return () => observer.disconnect();
}
