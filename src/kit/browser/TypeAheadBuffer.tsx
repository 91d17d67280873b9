import { type ReactNode, useLayoutEffect } from 'react';

let typed = '';

/** Stands in for a part that is loading and begins with a field: keys typed meanwhile go to that field. */
export function TypeAheadBuffer({ children = null }: { readonly children?: ReactNode }) {
  useLayoutEffect(() => {
    typed = '';
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Backspace') typed = typed.slice(0, -1);
      else if (event.key.length === 1) typed += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
  return children;
}

/** The text typed before the field was loaded. */
export function useTypeAhead(): string {
  useLayoutEffect(() => {
    typed = '';
  }, []);
  return typed;
}
