import './selection.css';
import { useMedia } from '../../kit/browser/use-media.ts';
import { SelectionBar } from './SelectionBar.tsx';
import { useEffect, useState } from 'react';
import { useDocument } from '../../kit/app-context.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { Boundary } from '../../kit/frame/Boundary.tsx';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { useRequestedItem } from './requested-item.ts';
import { FormatALabel, FormatBLabel } from './FormatLabel.tsx';
import type { SelectionItem, ItemId, ItemPart } from './selection-item.ts';
import { SELECTION_ITEMS } from './SelectionItems.tsx';
import { flushSync } from 'react-dom';

/** On a narrow page, scrolling beyond this collapses the selection bar to one line, px. */
const MIN_SCROLLED_PX = 48;
/** Content with less than this to scroll keeps the whole bar: collapsing it would leave nothing to scroll, px. */
const MIN_SCROLLABLE_PX = 240;

const POINTER_EVENTS = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;

/**
 * Whether the content has been scrolled, by itself or with the page. It does not change during a press: collapsing
 * moves the content, so that a press that begins on a button would end next to it.
 */
function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    let isScrolled = false;
    let isPressed = false;
    /** the element that scrolled during the press */
    let scrolledBox: Element | null = null;
    /** `scrollTop` at an element's last scroll: a table that is scrolled sideways keeps its 0, and changes nothing */
    const lastScrollTops = new WeakMap<Element, number>();
    const update = (box: Element): void => {
      if (isPressed) {
        scrolledBox = box;
        return;
      }
      const before = isScrolled;
      isScrolled = box.scrollTop > (before ? 0 : MIN_SCROLLED_PX);
      // Applied before a press can begin.
      if (isScrolled !== before) flushSync(() => setScrolled(isScrolled));
    };
    const onScroll = ({ target }: Event): void => {
      const box = target instanceof Document ? target.documentElement : target;
      if (!(box instanceof Element) || !box.matches('html, #content, #content *') || box.closest('dialog')) return;
      if (box.scrollTop === (lastScrollTops.get(box) ?? 0)) return;
      lastScrollTops.set(box, box.scrollTop);
      const scrollablePx = box.scrollHeight - box.clientHeight;
      if (scrollablePx < MIN_SCROLLABLE_PX && box.scrollTop > 0) return;
      update(box);
    };
    // A press on a scrollbar may end without an event; the next move shows it.
    const onPointer = ({ type, buttons }: PointerEvent): void => {
      isPressed = buttons !== 0 && type !== 'pointercancel';
      if (isPressed || scrolledBox === null) return;
      const box = scrolledBox;
      scrolledBox = null;
      // Runs after the click that follows.
      requestAnimationFrame(() => update(box));
    };
    const leave = new AbortController();
    const options = { capture: true, passive: true, signal: leave.signal };
    document.addEventListener('scroll', onScroll, options);
    for (const type of POINTER_EVENTS) document.addEventListener(type, onPointer, options);
    return () => leave.abort();
  }, []);
  return scrolled;
}

const SelectionList = lazyPart(async () => (await import('./SelectionList.tsx')).SelectionList);

interface OpenList {
  /** the item whose row is open at first; null: none */
  readonly item: ItemId | null;
  readonly part: ItemPart | null;
}

/** The selection bar of a narrow page: a button that opens the list of its items, one line after scrolling. */
function CompactSelectionBar({ items }: { readonly items: readonly SelectionItem[] }) {
  const [open, setOpen] = useState<OpenList | null>(null);
  useRequestedItem(setOpen);
  const scrolled = useScrolled();
  const isAlone = useDocument((doc) => doc.formatB === null);
  return (
    <section className="selection selection--folded" aria-label="Selection">
      <button
        type="button"
        className={`selection-fold justify-between text-start w-full word ${scrolled ? 'selection-fold--line' : ''}`}
        aria-haspopup="dialog"
        onClick={() => setOpen({ item: null, part: null })}
      >
        <span className="unseen">Change the selection: </span>
        <span className="selection-plain text-muted line-clamp-3 [&_b]:text-ink">
          {scrolled ? (
            <>
              <FormatALabel />{' '}
              {isAlone ? (
                'alone'
              ) : (
                <>
                  against <FormatBLabel />
                </>
              )}
            </>
          ) : (
            items.map((item) => (
              <PlainItem key={item.id} item={item} isAlone={isAlone} isLast={item === items.at(-1)} />
            ))
          )}
        </span>
        <Icon name="right" className="self-center text-muted rotate-90" />
      </button>
      {open && (
        <Boundary name="The selection" onClose={() => setOpen(null)} waiting={null}>
          <SelectionList items={items} first={open} onClose={() => setOpen(null)} />
        </Boundary>
      )}
    </section>
  );
}

interface PlainItemProps {
  readonly item: SelectionItem;
  readonly isAlone: boolean;
  readonly isLast: boolean;
}

/** An item as text: '50 % left by magnitude,' */
function PlainItem({ item: { id, before, Label }, isAlone, isLast }: PlainItemProps) {
  if (id === 'b' && isAlone) return null;
  return (
    <span className="plain-word" data-item={id}>
      {id !== 'of' && id !== 'pruned' && <>{before} </>}
      <Label />
      {isLast || (id === 'a' && !isAlone) ? ' ' : <span className="plain-comma">, </span>}
    </span>
  );
}

/** From this width on every item is a button; below it the selection bar is plain text of up to three lines. */
const WIDE = '(min-width: 48rem)';

interface SelectionProps {
  /** items that have no effect on this page */
  readonly hiddenItems?: readonly ItemId[] | undefined;
  /** on a wide page: each item is one button instead of several for its parts, and A and B cannot be swapped */
  readonly isPlain: boolean;
}

/** The selection bar, which names matrix, pruning, formats and device; collapsible on a narrow page. */
export function Selection({ hiddenItems = [], isPlain }: SelectionProps) {
  const items = SELECTION_ITEMS.filter(({ id }) => !hiddenItems.includes(id));
  return useMedia(WIDE) ? <SelectionBar items={items} isPlain={isPlain} /> : <CompactSelectionBar items={items} />;
}
