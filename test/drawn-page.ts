import { act, cleanup, render } from '@testing-library/react';
import { createElement, type ReactElement } from 'react';
import { createStore } from 'zustand/vanilla';
import { formats } from '../src/formats/catalog.ts';
import { AppProvider } from '../src/kit/app-context.ts';

/** What a chart requires of the page, besides its formats. */
interface Shown {
  readonly document?: object;
  readonly session?: object;
  /** its drawers are open: the table of its figures is there */
  readonly isOpen?: boolean;
}

/** The markup of a chart in a container of this width, in px; needs happy-dom, where nothing has a width. */
export function drawnMarkup(
  element: ReactElement,
  width: number,
  { document = {}, session = {}, isOpen = false }: Shown = {},
): string {
  const own = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'clientWidth');
  // Missing in happy-dom; nothing changes its size meanwhile.
  globalThis.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => width });
  try {
    const store = createStore(() => ({ bench: { running: null }, opening: null, ...session }));
    const app = { formats, session: { store }, document: createStore(() => document) } as never;
    const { container } = render(createElement(AppProvider, { value: app }, element));
    for (const drawer of isOpen ? container.querySelectorAll('details') : []) {
      drawer.open = true;
      act(() => void drawer.dispatchEvent(new Event('toggle')));
    }
    return container.innerHTML;
  } finally {
    cleanup();
    if (own) Object.defineProperty(HTMLElement.prototype, 'clientWidth', own);
    else Reflect.deleteProperty(HTMLElement.prototype, 'clientWidth');
  }
}

/** The rows of the table of a chart whose drawers are open, each its name and its cells; the first has the heads. */
export function tableIn(markup: string): readonly (readonly string[])[] {
  return [...markup.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => cell.replace('&lt;', '<')),
  );
}
