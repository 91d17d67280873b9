import { type PointerEvent, type ReactNode, useEffect, useId, useMemo, useRef } from 'react';
import type { HeldToken } from '../service/types.ts';
import { freeTokens, type Text, tintOf, tokenText } from './text.ts';
import { drawnTokens, type Line, shownToken, wrapTokens } from './wrap.ts';

interface TokenLinesProps {
  readonly text: Text;
  /** of another pruning, where the text has no token yet */
  readonly before: readonly HeldToken[];
  readonly mode: 'held' | 'free';
  /** behind the prompt; -1 for none */
  readonly pinned: number;
  /** a person has pinned it; otherwise it is the one that lost most */
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
 * The dense text as the pruned model reads it, each token tinted by what it lost; or what the pruned model writes by
 * itself, from where it parts with lines of the dense text above its own. Tokens of both are options of one list.
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
      aria-label="Tokens of the dense text"
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
          {isFree && parts(i) && (
            <p className="token-line quiet preformatted" aria-hidden="true">
              {upperLines[i] && textOf(upper, upperLines[i])}
            </p>
          )}
          <div className="token-line preformatted" role="presentation">
            {lowerLines[i] && lineOf(lowerLines[i])}
          </div>
        </div>
      ))}
    </div>
  );

  /** Whether the texts part in this line, or did so before. */
  function parts(line: number): boolean {
    return Math.max(upperLines[line]?.to ?? 0, lowerLines[line]?.to ?? 0) > common + start;
  }

  function lineOf({ from, to }: Line): ReactNode {
    return Array.from({ length: to - from }, (_, k) => {
      const i = from + k;
      const token = i - start;
      const piece = k === 0 ? lower[i].trimStart() : lower[i];
      const found = known(token);
      const isBroken = isFree && broken !== null && token >= broken.from && token < broken.to;
      // A token may be a space alone.
      const space = piece.trim() === '' ? '' : (/^\s*/.exec(piece)?.[0] ?? '');
      if (found === null) {
        const own = isFree && token >= common;
        return (
          <span key={i} className={`${own ? 'token-own' : 'quiet'}${isBroken ? ' token-broken' : ''}`}>
            {piece}
          </span>
        );
      }
      const isPinned = token === pinned;
      return (
        <span key={i}>
          {space}
          <span
            id={`${id}-${token}`}
            role="option"
            aria-selected={isPinned}
            aria-label={tokenText(found)}
            className={isFree ? 'token relative pointer round-2 quiet' : 'token relative pointer round-2'}
            data-token={token}
            data-tint={(!isFree && tintOf(found.lost)) || undefined}
            data-old={token >= text.held.length || undefined}
          >
            {piece.slice(space.length)}
            {isPinned && !isFree && found.would !== null && (
              <span className="token-note text-ink size-11 weight-400 nowrap absolute unclickable" aria-hidden="true">
                it would write <b>{shownToken(found.would)}</b>
              </span>
            )}
          </span>
        </span>
      );
    });
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
    // A new text leaves the page where it is: a person may be choosing matrices at its other end.
    if (isChosen && shown.current === written) token?.scrollIntoView({ block: 'nearest' });
    shown.current = written;
  }, [id, isChosen, written]);
}
