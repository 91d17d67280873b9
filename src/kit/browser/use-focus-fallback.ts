import { type RefObject, useLayoutEffect } from 'react';

/** If the element of `ref` is removed with the focus inside, focuses a focusable ancestor, or else #content. */
export function useFocusFallback(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ref.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      const around = element.closest<HTMLElement>('[tabindex]') ?? document.getElementById('content');
      around?.focus({ preventScroll: true });
    };
  }, [ref]);
}
