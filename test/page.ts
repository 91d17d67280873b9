// Renders components with the stores of the application, for tests.

import { cleanup, render, type RenderResult } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { createStore } from 'zustand/vanilla';
import { formats } from '../src/formats/catalog.ts';
import { createPreferences } from '../src/state/index.ts';
import { CATALOG, type FakeEngine, fakeSession } from './fake-engine.ts';
import { type App, AppProvider } from '../src/kit/app-context.ts';
import { createBenchForm } from '../src/state/bench-form-store.ts';

/** The application's stores over a fake engine, with the real formats' titles. */
export function fakeApp(): App & { readonly announced: string[]; readonly engine: FakeEngine } {
  const { session, engine, document, player } = fakeSession();
  const announced: string[] = [];
  return {
    document,
    session,
    engine,
    player,
    preferences: createPreferences(() => ({ getItem: () => null, setItem: () => {} })),
    catalog: CATALOG,
    gallery: [],
    formats,
    hover: createStore(() => ({ mark: null })),
    benchForm: createBenchForm(formats),
    pageFigures: new Map(),
    pageShows: new Map(),
    singletons: new Map(),
    announced,
    announce: (message) => announced.push(message),
  };
}

/** Renders within the application's context. */
export function renderInApp(node: ReactNode, app: App = fakeApp()): RenderResult {
  // happy-dom has no ResizeObserver; no element changes its size in these tests.
  globalThis.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
  return render(createElement(AppProvider, { value: app }, node));
}

export { cleanup };
