// Renders charts of the page to markup, for tests that read the drawing.

import { act, cleanup, render } from '@testing-library/react';
import { createElement, type ReactElement } from 'react';
import { createStore } from 'zustand/vanilla';
import { formats } from '../src/formats/catalog.ts';
import { AppProvider } from '../src/kit/app-context.ts';

/** The parts of the page's state that a chart reads. */
interface PageState {
  readonly document?: object;
  readonly session?: object;
  /** whether details elements are open, so that the chart's table is in the markup */
  readonly isOpen?: boolean;
}

/** The markup of a chart in a container of this width, in px. Requires happy-dom, in which elements have no width themselves. */
export function drawnMarkup(
  element: ReactElement,
  width: number,
  { document = {}, session = {}, isOpen = false }: PageState = {},
): string {
  const original = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'clientWidth');
  // happy-dom has no ResizeObserver; here no size changes, so it need not report any.
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
    if (original) Object.defineProperty(HTMLElement.prototype, 'clientWidth', original);
    else Reflect.deleteProperty(HTMLElement.prototype, 'clientWidth');
  }
}

/** The rows of a chart's table as texts of cells. The first row contains the column headings. */
export function tableIn(markup: string): readonly (readonly string[])[] {
  return [...markup.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => cell.replace('&lt;', '<')),
  );
}
