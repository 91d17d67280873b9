import { type RefObject, useEffect, useRef } from 'react';

/** For a row of tabs that may overflow: scrolls the current tab into view when it changes. */
export function useTabInView(current: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current="true"]');
    if (!row.current || !tab) return;
    const [left, right] = [tab.offsetLeft - row.current.offsetLeft, row.current.clientWidth - tab.offsetWidth];
    // Horizontally only: the page does not scroll.
    if (left < row.current.scrollLeft) row.current.scrollLeft = left;
    else if (left > row.current.scrollLeft + right) row.current.scrollLeft = left - right;
  }, [current]);
  return row;
}
