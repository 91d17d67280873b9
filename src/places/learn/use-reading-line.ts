import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/** Distance of the reading line from the top, as a share of the visible height of the text. */
const READING_LINE = 0.32;

/** A paragraph that the reader jumped to stays current until the text has moved this far, px. */
const STAYS_PX = 48;

/**
 * Keeps the current paragraph and the scroll position together: scrolling makes the paragraph at the reading line
 * current, and a paragraph that becomes current otherwise (a key, a link, the focus) is scrolled there. `folded` is the
 * closed card around it, which is opened first; null if there is none.
 */
export function useReadingLine(
  scroller: RefObject<HTMLDivElement | null>,
  current: number,
  onRead: (n: number) => void,
  folded: number | null,
  onOpen: (card: number) => void,
): void {
  /** this text's last current paragraph, and its position then */
  const last = useRef({ n: 0, top: 0 });

  const onScroll = useEffectEvent(() => {
    const area = scroller.current;
    if (!area || Math.abs(area.scrollTop - last.current.top) < STAYS_PX) return;
    const line = area.getBoundingClientRect().top + area.clientHeight * READING_LINE;
    const paragraphs = [...area.querySelectorAll<HTMLElement>('[data-paragraph]:not([data-folded])')];
    const above = paragraphs.filter((p) => p.getBoundingClientRect().top <= line + 1);
    const n = Number((above.at(-1) ?? paragraphs[0])?.dataset.paragraph ?? 1);
    last.current = { n, top: last.current.n === n ? last.current.top : Number.NEGATIVE_INFINITY };
    onRead(n);
  });
  const onTouched = useEffectEvent((event: Event) => {
    const area = scroller.current;
    const paragraph = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-paragraph]') : null;
    if (!area || !paragraph) return;
    // The clicked element stays under the pointer.
    last.current = { n: Number(paragraph.dataset.paragraph), top: area.scrollTop };
    onRead(last.current.n);
  });
  useEffect(() => {
    const area = scroller.current;
    if (!area) return;
    const scroll = (): void => onScroll();
    const touch = (event: Event): void => onTouched(event);
    area.addEventListener('scroll', scroll, { passive: true });
    area.addEventListener('click', touch);
    area.addEventListener('focusin', touch);
    return () => {
      area.removeEventListener('scroll', scroll);
      area.removeEventListener('click', touch);
      area.removeEventListener('focusin', touch);
    };
  }, [scroller]);

  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const area = scroller.current;
    const paragraph = area?.querySelector<HTMLElement>(`[data-paragraph="${current}"]`);
    if (!area || !paragraph || last.current.n === current) return;
    if (folded !== null) return open(folded);
    const above = current === 1 ? Number.POSITIVE_INFINITY : area.clientHeight * (READING_LINE - 0.04);
    area.scrollBy({ top: paragraph.getBoundingClientRect().top - area.getBoundingClientRect().top - above });
    const isFirst = last.current.n === 0;
    last.current = { n: current, top: area.scrollTop };
    if (!isFirst) paragraph.focus({ preventScroll: true });
  }, [scroller, current, folded]);
}
