import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { formats } from '../src/formats/catalog.ts';
import { AppProvider } from '../src/kit/app-context.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&gt;': '>',
  '&lt;': '<',
  '&#x27;': "'",
  '&quot;': '"',
};

/** What a component shows, as text: its pieces are joined as a reader sees them, cells of tables with ' | ' between them, and a line for each row. */
export function shownText(element: ReactElement): string {
  const markup = renderToStaticMarkup(createElement(AppProvider, { value: { formats } as never }, element));
  return markup
    .replaceAll(/<\/t[dh]><t[dh]/g, '</td> | <td')
    .replaceAll(/<\/(?:tr|p|h3|li|thead)>/g, '\n')
    .replaceAll(/<br\/?>|<\/(?:b|span)>(?=<(?:b|span)[ >])/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|gt|lt|#x27|quot);/g, (entity) => ENTITIES[entity])
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}
