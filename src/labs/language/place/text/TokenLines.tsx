import { type PointerEvent, type ReactNode, useEffect, useId, useMemo, useRef } from 'react';
import type { HeldToken } from '../service/types.ts';
import { freeTokens, type Text, tintOf, tokenText } from './text.ts';
import { drawnTokens, type Line, shownToken, wrapTokens } from './wrap.ts';

/** What the pruned model would have written is below a token that lost at least this, in bits. */
const NOTED = 2;

interface TokenLinesProps {
  readonly text: Text;
  /** of another pruning, where the text has no token yet */
  readonly before: readonly HeldToken[];
  readonly mode: 'held' | 'free';
  /** behind the prompt; -1 for none */
  readonly pinned: number;
  /** somebody has pinned it; otherwise it is the one that lost most */
  readonly isChosen: boolean;
  /** tokens of the free text in which a law breaks */
  readonly broken: { readonly from: number; readonly to: number } | null;
  /** px */
  readonly width: number;
  readonly measure: (text: string) => number;
  readonly onPin: (token: number) => void;
  /** null: the pointer has left */
  readonly onLook: (token: number | null) => void;
  readonly onKeyDown?: (event: React.KeyboardEvent) => void;
}

/**
 * Two texts with one pen: each line of the dense text, and below it that of the pruned model, at the same place. What is
 * held to the dense text has its tokens as options of one list.
 */
export function TokenLines(props: TokenLinesProps) {
  const { text, before, mode, pinned, isChosen, broken, width, measure, onPin, onLook } = props;
  const id = useId();
  useInView(pinned < 0 ? null : `${id}-${pinned}`, isChosen, text.written);
  const start = text.prompt.length;
  const upper = useMemo(() => drawnTokens([...text.prompt, ...text.dense]), [text.prompt, text.dense]);
  const free = useMemo(() => drawnTokens([...text.prompt, ...freeTokens(text)]), [text]);
  const isFree = mode === 'free' && text.free !== null;
  const lower = isFree ? free : upper;
  const upperLines = useMemo(() => wrapTokens(upper, width, measure), [upper, width, measure]);
  const lowerLines = useMemo(
    () => (isFree ? wrapTokens(free, width, measure) : upperLines),
    [isFree, free, upperLines, width, measure],
  );
  const lines = Array.from({ length: Math.max(upperLines.length, lowerLines.length) }, (_, i) => i);
  const common = isFree ? (text.free?.fork ?? 0) : Number.POSITIVE_INFINITY;
  const known = (token: number): HeldToken | null =>
    token < 0 || token >= common ? null : (text.held[token] ?? before[token] ?? null);
  const tokenOf = (target: EventTarget): number | null => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-token]') : null;
    return element === null ? null : Number(element.dataset.token);
  };
  const lookAt = (event: PointerEvent): void => onLook(tokenOf(event.target));
  return (
    // Its keys are those of the page.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      className="token-lines"
      role="listbox"
      aria-label="Tokens of the dense text, as the pruned model reads them"
      tabIndex={0}
      aria-activedescendant={pinned >= 0 && known(pinned) ? `${id}-${pinned}` : undefined}
      onPointerOver={lookAt}
      onPointerLeave={() => onLook(null)}
      onClick={({ target }) => {
        const token = tokenOf(target);
        if (token !== null) onPin(token);
      }}
    >
      {lines.map((i) => (
        <div key={i} className="token-pair" role="presentation">
          <p className="token-line token-line--dense" aria-hidden="true">
            {upperLines[i] && textOf(upper, upperLines[i])}
          </p>
          <div className="token-line" role="presentation">
            {lowerLines[i] && lineOf(lowerLines[i])}
          </div>
        </div>
      ))}
    </div>
  );

  function lineOf({ from, to }: Line): ReactNode {
    let taken = Number.NEGATIVE_INFINITY;
    let written = '';
    return Array.from({ length: to - from }, (_, k) => {
      const i = from + k;
      const token = i - start;
      const piece = k === 0 ? lower[i].trimStart() : lower[i];
      const left = measure(written);
      written += piece;
      const isShown = isFree || token < 0 || token < text.held.length || token < before.length;
      if (!isShown) return null;
      const found = known(token);
      const isBroken = isFree && broken !== null && token >= broken.from && token < broken.to;
      // A token may be a space alone.
      const space = piece.trim() === '' ? '' : (/^\s*/.exec(piece)?.[0] ?? '');
      if (found === null) {
        const own = isFree && token >= common;
        return (
          <span key={i} className={`${own ? 'token-own' : 'token-given'}${isBroken ? ' token-broken' : ''}`}>
            {piece}
          </span>
        );
      }
      const isPinned = token === pinned;
      const note = found.would !== null && (isPinned || found.lost >= NOTED) ? shownToken(found.would) : null;
      const noteWidth = note === null ? 0 : measure(isPinned ? `it would write ${note}` : note);
      const hasRoom =
        note !== null && (isPinned || left > taken) && !(pinned > token && pinnedIsNear(token, left + noteWidth));
      if (hasRoom) taken = left + noteWidth;
      return (
        <span key={i}>
          {space}
          <span
            id={`${id}-${token}`}
            role="option"
            aria-selected={isPinned}
            aria-label={tokenText(found)}
            className={isFree ? 'token token--common' : 'token'}
            data-token={token}
            data-tint={tintOf(found.lost) || undefined}
            data-old={token >= text.held.length || undefined}
          >
            {piece.slice(space.length)}
            {hasRoom && (
              <span className="token-note" aria-hidden="true">
                {isPinned && 'it would write '}
                <b>{note}</b>
              </span>
            )}
          </span>
        </span>
      );
    });

    /** The note of the pinned token has the room of those before it. */
    function pinnedIsNear(token: number, right: number): boolean {
      const at = pinned + start;
      if (at < from || at >= to || token === pinned || known(pinned)?.would == null) return false;
      return right > measure(textOf(lower, { from, to: at }));
    }
  }
}

function textOf(tokens: readonly string[], { from, to }: Line): string {
  return tokens.slice(from, to).join('').trimStart();
}

/** Keeps a token in view, by its id. `written`: changes with the text. */
function useInView(id: string | null, isChosen: boolean, written: Text['written']): void {
  const shown = useRef(written);
  useEffect(() => {
    const token = id === null ? null : document.getElementById(id);
    // A new text leaves the page where it is: somebody may be choosing matrices at its other end.
    if (isChosen && shown.current === written) token?.scrollIntoView({ block: 'nearest' });
    else if (token) scrollInBox(token);
    shown.current = written;
  }, [id, isChosen, written]);
}

/** How far a token stays from the edges of its box, px: a line and what is written below it. */
const BOX_MARGIN = 28;

/** On a phone only some of the lines are in view: the box of lines is scrolled to a token, the page is not. */
function scrollInBox(token: HTMLElement): void {
  const box = token.closest<HTMLElement>('.text-lines');
  if (!box) return;
  const [at, within] = [token.getBoundingClientRect(), box.getBoundingClientRect()];
  if (at.top < within.top + BOX_MARGIN) box.scrollTop += at.top - within.top - BOX_MARGIN;
  else if (at.bottom > within.bottom - BOX_MARGIN) box.scrollTop += at.bottom - within.bottom + BOX_MARGIN;
}
