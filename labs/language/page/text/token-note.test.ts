// TokenLines places the note of a pinned token inside the text column.

import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ReadToken } from '../service/types.ts';
import { NO_TEXT } from './text-pair.ts';
import { TokenLines } from './TokenLines.tsx';

const DENSE = ['One', ' day', ' Vera', ' went', ' home'];

/** The tokens of one line, with the token at `pinned` pinned; every letter is 10 px wide. */
function lineOf(pinned: number): string {
  const readTokens = DENSE.map((text): ReadToken => ({ text, lost: 3, prunedToken: 'elsewhere', likely: [] }));
  const props = {
    text: { ...NO_TEXT, dense: DENSE, readTokens },
    before: [],
    pinned,
    isChosen: true,
    width: 10 * DENSE.join('').length,
    measure: (text: string) => 10 * text.length,
    onPin: () => {},
    onHover: () => {},
  };
  return renderToStaticMarkup(createElement(TokenLines, props));
}

it('puts the note below a token to its left at the end of a line, so that it stays in the column', () => {
  const edge = (pinned: number): string =>
    /(start|end)-0 [^>]*>it would write <b>elsewhere/.exec(lineOf(pinned))?.[1] ?? '';
  expect([edge(0), edge(4)]).toEqual(['start', 'end']);
});
