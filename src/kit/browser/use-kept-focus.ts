import { type RefObject, useLayoutEffect } from 'react';

/** When `ref` leaves the page with the focus in it, what is around it takes the focus, or else the page's content. */
export function useKeptFocus(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const around = element.closest<HTMLElement>('[tabindex]') ?? document.getElementById('content');
      around?.focus({ preventScroll: true });
    };
  }, [ref]);
}
