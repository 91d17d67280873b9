// Renders components to markup or to the visible text.

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

/** A negative time. A hyphen counts as its sign only if it is not part of a word or a range. */
const NEGATIVE_TIME = /(?:\u2212|(?<![\w.\u2013])-)\d[\d.\u202f]*[\u202f ](?:ns|µs|ms|s)\b/u;

/**
 * The markup of a component whose context is at most the formats and a session in which nothing runs. Throws if it contains
 * a negative time, which is always a fault.
 */
export function markupOf(element: ReactElement): string {
  const session = { store: createStore(() => ({ gpuSilentS: null, bench: { running: null, ended: null, runs: [] } })) };
  const markup = renderToStaticMarkup(createElement(AppProvider, { value: { formats, session } as never }, element));
  const [below] = NEGATIVE_TIME.exec(markup) ?? [];
  if (below !== undefined) throw new Error(`found a time of ${below}, expected none below 0`);
  return markup;
}

/** The visible text of a component: one line for each paragraph and table row, with ' | ' between cells. */
export function visibleText(element: ReactElement): string {
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
