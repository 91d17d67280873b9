// Two texts side by side, from where they begin to differ.

import { useState } from 'react';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { brokenTokens, freeTokens, type TextPair } from './text-pair.ts';
import { drawnTokens } from './wrap.ts';

/** Tokens of each text that are visible before the user requests all. */
const EXCERPT_TOKENS = 26;

interface BothTextsProps {
  readonly text: TextPair;
  /** name of the pruned model: '60 % left' */
  readonly name: string;
  /** colour of the pruned model's format */
  readonly color: string;
}

/** The texts of the unpruned and the pruned model, side by side from the sentence in which they begin to differ. */
export function BothTexts({ text, name, color }: BothTextsProps) {
  const [isWhole, setWhole] = useState(false);
  const start = text.prompt.length;
  // The tokens of the first error in the pruned model's text (tales/judge.ts), counted after the prompt.
  const range = brokenTokens(text);
  const firstDifference = start + Math.min(text.free?.firstDifference ?? 0, range?.from ?? Number.POSITIVE_INFINITY);
  const broken = range && { from: range.from + start, to: range.to + start };
  const sides = [
    { name: 'unpruned', color: undefined, tokens: drawnTokens([...text.prompt, ...text.dense]), broken: null },
    { name, color, tokens: drawnTokens([...text.prompt, ...freeTokens(text)]), broken },
  ];
  const from = isWhole ? 0 : sentenceStart(sides[1].tokens, firstDifference);
  const to = isWhole ? Number.POSITIVE_INFINITY : Math.max(firstDifference + EXCERPT_TOKENS, (broken?.to ?? 0) + 8);
  return (
    <div className="own-texts grid grid-cols-[repeat(auto-fit,minmax(min(24rem,100%),1fr))] gap-x-8 gap-y-4">
      {sides.map((side) => (
        <section key={side.name} aria-label={side.name}>
          <h3 className="mb-2" style={{ color: side.color }}>
            {side.name}
          </h3>
          <p className="leading-[1.6] text-16 wrap-anywhere">
            {from > 0 && '… '}
            <span className="text-muted">{side.tokens.slice(from, firstDifference).join('').trimStart()}</span>
            {side.tokens.slice(Math.max(from, firstDifference), side.broken?.from ?? wordEnd(side.tokens, to)).join('')}
            {side.broken && (
              <>
                <b className="token-broken">{side.tokens.slice(side.broken.from, side.broken.to).join('')}</b>
                {side.tokens.slice(side.broken.to, wordEnd(side.tokens, to)).join('')}
              </>
            )}
            {side.tokens.length > to && ' …'}
          </p>
        </section>
      ))}
      {(from > 0 || sides.some(({ tokens }) => tokens.length > to)) && (
        <TextButton className="text-12 justify-self-start" onClick={() => setWhole(true)}>
          all of both texts
        </TextButton>
      )}
    </div>
  );
}

/** Returns the index of the first token of the sentence that contains token `index`. */
function sentenceStart(tokens: readonly string[], index: number): number {
  let from = index;
  while (from > 0 && !(/^\s/.test(tokens[from] ?? '') && /[.!?]"?$/.test(tokens[from - 1]))) from--;
  return from;
}

/** Returns the index after the last token of the word that contains token `index`. */
function wordEnd(tokens: readonly string[], index: number): number {
  let to = index;
  while (to < tokens.length && !/^\s/.test(tokens[to])) to++;
  return to;
}
