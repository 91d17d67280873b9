import { useEffect, useState } from 'react';

/** From here on the content has been scrolled, px. */
const SCROLLED = 48;
/** What has no more than this to scroll keeps the whole sentence, whose folding would leave nothing to scroll. */
const LEAST_SCROLL = 240;

/** Whether the content below has been scrolled: it is one column on a narrow page, and scrolls by itself or with the page. */
export function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const onScroll = ({ target }: Event): void => {
      const box = target instanceof Document ? target.documentElement : target;
      if (!(box instanceof Element) || !box.matches('html, #content, #content *') || box.closest('dialog')) return;
      // A table that scrolls to the side says nothing.
      const room = box.scrollHeight - box.clientHeight;
      if (room < LEAST_SCROLL && box.scrollTop > 0) return;
      setScrolled((is) => (is ? box.scrollTop > 0 : box.scrollTop > SCROLLED));
    };
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => document.removeEventListener('scroll', onScroll, { capture: true });
  }, []);
  return scrolled;
}
