import { cleanup, render } from '@testing-library/react';
import { createElement, type ReactElement } from 'react';
import { createStore } from 'zustand/vanilla';
import { formats } from '../src/formats/catalog.ts';
import { AppProvider } from '../src/kit/app-context.ts';

/** The markup of a chart in a place of this width, in px; needs the environment happy-dom, where nothing has a width. */
export function drawnMarkup(element: ReactElement, width: number): string {
  const own = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'clientWidth');
  // Missing in happy-dom; nothing changes its size meanwhile.
  globalThis.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, get: () => width });
  try {
    const session = { store: createStore(() => ({ bench: { running: null } })) };
    const app = { formats, session } as never;
    return render(createElement(AppProvider, { value: app }, element)).container.innerHTML;
  } finally {
    cleanup();
    if (own) Object.defineProperty(HTMLElement.prototype, 'clientWidth', own);
    else Reflect.deleteProperty(HTMLElement.prototype, 'clientWidth');
  }
}
