import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** From here on the content has been scrolled, px. */
const SCROLLED = 48;
/** What has no more than this to scroll keeps the whole sentence, whose folding would leave nothing to scroll. */
const MIN_SCROLL = 240;

const POINTER_EVENTS = ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const;

/**
 * Whether the content below has been scrolled: it is one column on a narrow page, and scrolls by itself or with the page.
 * Folding moves the content, and a press that begins on a button and ends beside it is lost: during a press nothing
 * changes.
 */
export function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    let isScrolled = false;
    let isPressed = false;
    /** scrolled during the press */
    let waiting: Element | null = null;
    const look = (box: Element): void => {
      if (isPressed) {
        waiting = box;
        return;
      }
      const before = isScrolled;
      isScrolled = box.scrollTop > (before ? 0 : SCROLLED);
      // Before a press can begin.
      if (isScrolled !== before) flushSync(() => setScrolled(isScrolled));
    };
    const onScroll = ({ target }: Event): void => {
      const box = target instanceof Document ? target.documentElement : target;
      if (!(box instanceof Element) || !box.matches('html, #content, #content *') || box.closest('dialog')) return;
      // A table that scrolls to the side says nothing.
      const room = box.scrollHeight - box.clientHeight;
      if (room < MIN_SCROLL && box.scrollTop > 0) return;
      look(box);
    };
    // A press on a scrollbar may end unheard; the next move tells.
    const onPointer = ({ type, buttons }: PointerEvent): void => {
      isPressed = buttons !== 0 && type !== 'pointercancel';
      if (isPressed || waiting === null) return;
      const box = waiting;
      waiting = null;
      // After the click that follows.
      requestAnimationFrame(() => look(box));
    };
    const leave = new AbortController();
    const options = { capture: true, passive: true, signal: leave.signal };
    document.addEventListener('scroll', onScroll, options);
    for (const type of POINTER_EVENTS) document.addEventListener(type, onPointer, options);
    return () => leave.abort();
  }, []);
  return scrolled;
}
