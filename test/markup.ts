import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createStore } from 'zustand/vanilla';
import { formats } from '../src/formats/catalog.ts';
import { AppProvider } from '../src/kit/app-context.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&gt;': '>',
  '&lt;': '<',
  '&#x27;': "'",
  '&quot;': '"',
};

/** The markup of a component that asks for formats at most, and for whether something runs: nothing does. */
export function markupOf(element: ReactElement): string {
  const session = { store: createStore(() => ({ bench: { running: null } })) };
  return renderToStaticMarkup(createElement(AppProvider, { value: { formats, session } as never }, element));
}

/** What a component shows, as text: its pieces are joined as a reader sees them, cells of tables with ' | ' between them, and a line for each row. */
export function shownText(element: ReactElement): string {
  return markupOf(element)
    .replaceAll(/<\/t[dh]><t[dh]/g, '</td> | <td')
    .replaceAll(/<\/(?:tr|p|h3|li|thead)>/g, '\n')
    .replaceAll(/<br\/?>|<\/(?:b|span)>(?=<(?:b|span)[ >])/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|gt|lt|#x27|quot);/g, (entity) => ENTITIES[entity])
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}
