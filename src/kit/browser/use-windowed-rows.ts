import { type RefObject, useLayoutEffect, useState } from 'react';

/** A table with more rows scrolls in a box of its own, which draws only the visible rows. */
const MAX_ROWS_AT_ONCE = 100;

/** Rows drawn above and below the visible ones. */
const BEYOND = 8;

interface WindowedRows {
  /** whether the table has a box of its own: `scroller` */
  readonly windowed: boolean;
  readonly places: readonly number[];
  /** px of empty space for the rows above and below */
  readonly above: number;
  readonly below: number;
}

/** The rows to draw out of `count`: all of them if there are few. With many, each must be `rowHeight` px high. */
export function useWindowedRows(
  count: number,
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
): WindowedRows {
  const windowed = count > MAX_ROWS_AT_ONCE;
  const [view, setView] = useState({ first: 0, rows: 0 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!windowed || !box) return;
    const follow = (): void => {
      const first = Math.floor(box.scrollTop / rowHeight);
      const rows = Math.ceil(box.clientHeight / rowHeight) + 1;
      setView((before) => (before.first === first && before.rows === rows ? before : { first, rows }));
    };
    follow();
    box.addEventListener('scroll', follow, { passive: true });
    const observer = new ResizeObserver(follow);
    observer.observe(box);
    return () => {
      box.removeEventListener('scroll', follow);
      observer.disconnect();
    };
  }, [windowed, scroller, rowHeight]);

  const from = windowed ? Math.max(0, Math.min(count, view.first) - BEYOND) : 0;
  const to = windowed ? Math.min(count, view.first + view.rows + BEYOND) : count;
  return {
    windowed,
    places: Array.from({ length: to - from }, (_, i) => from + i),
    above: from * rowHeight,
    below: (count - to) * rowHeight,
  };
}
