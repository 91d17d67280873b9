import { type ReactNode, useLayoutEffect } from 'react';

/** The text typed so far. */
let buffer = '';

/** Collects what is typed while a text field's code loads, for `useTypeAhead` there. Draws `children` meanwhile. */
export function TypeAheadBuffer({ children = null }: { readonly children?: ReactNode }) {
  useLayoutEffect(() => {
    buffer = '';
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Backspace') buffer = buffer.slice(0, -1);
      else if (event.key.length === 1) buffer += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
  return children;
}

/** The text that was typed before the field was loaded. */
export function useTypeAhead(): string {
  useLayoutEffect(() => {
    buffer = '';
  }, []);
  return buffer;
}
