import { type PointerEvent, type ReactNode, useEffect, useId, useMemo, useRef } from 'react';
import type { ReadToken } from '../service/types.ts';
import type { TextPair } from './text-pair.ts';
import { tintOf, tintStyle } from './lost-bits.ts';
import { tokenText } from './text-words.ts';
import { drawnTokens, type Line, visibleToken, wrapTokens } from './wrap.ts';

interface TokenLinesProps {
  readonly text: TextPair;
  /** the dense text as read with the previous pruning, for tokens that are not yet read with the current pruning */
  readonly before: readonly ReadToken[];
  /** index of the pinned token after the prompt; -1: none */
  readonly pinned: number;
  /** whether the user, and not the page, has pinned that token */
  readonly isChosen: boolean;
  /** px */
  readonly width: number;
  /** width of a text, px */
  readonly measure: (text: string) => number;
  readonly onPin: (token: number) => void;
  /** null: the pointer has left */
  readonly onHover: (token: number | null) => void;
}

/** The dense model's text as the pruned model reads it, each token tinted by the bits lost on it. */
export function TokenLines(props: TokenLinesProps) {
  const { text, before, pinned, isChosen, width, measure, onPin, onHover } = props;
  const id = useId();
  useScrollIntoView(pinned < 0 ? null : `${id}-${pinned}`, isChosen, text.outcome);
  const start = text.prompt.length;
  const tokens = useMemo(() => drawnTokens([...text.prompt, ...text.dense]), [text.prompt, text.dense]);
  const lines = useMemo(() => wrapTokens(tokens, width, measure), [tokens, width, measure]);
  const readToken = (token: number): ReadToken | null =>
    token < 0 ? null : (text.readTokens[token] ?? before[token] ?? null);
  const tokenOf = (target: EventTarget): number | null => {
    const element = target instanceof Element ? target.closest<HTMLElement>('[data-token]') : null;
    return element === null ? null : Number(element.dataset.token);
  };
  const reportHover = (event: PointerEvent): void => onHover(tokenOf(event.target));
  return (
    // The tab around this component handles the keys.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      className="focus-visible:outline-offset-[6px]"
      role="listbox"
      aria-label="Tokens of the dense text"
      tabIndex={0}
      aria-activedescendant={pinned >= 0 && readToken(pinned) ? `${id}-${pinned}` : undefined}
      onPointerOver={reportHover}
      onPointerLeave={() => onHover(null)}
      onClick={({ target }) => {
        const token = tokenOf(target);
        if (token !== null) onPin(token);
      }}
    >
      {lines.map((line) => (
        <div
          key={line.from}
          // A line that is wider than measured breaks, and stays inside its column.
          className="box-content min-h-5.5 pb-[0.6875rem] leading-[1.375rem] whitespace-pre-wrap wrap-anywhere"
          role="presentation"
        >
          {lineOf(line)}
        </div>
      ))}
    </div>
  );

  function lineOf({ from, to }: Line): ReactNode {
    return Array.from({ length: to - from }, (_, k) => {
      const i = from + k;
      const token = i - start;
      const piece = k === 0 ? tokens[i].trimStart() : tokens[i];
      const read = readToken(token);
      // A token may consist of a space.
      const space = piece.trim() === '' ? '' : (/^\s*/.exec(piece)?.[0] ?? '');
      if (read === null) {
        return (
          <span key={i} className="text-muted">
            {piece}
          </span>
        );
      }
      const isPinned = token === pinned;
      const note = isPinned && read.prunedToken !== null ? visibleToken(read.prunedToken) : null;
      // The note begins below its token, or ends there if it would leave the column.
      const endsAtToken = note !== null && measure(tokens.slice(from, i).join('')) + noteWidth(note, measure) > width;
      return (
        <span key={i}>
          {space}
          <span
            id={`${id}-${token}`}
            role="option"
            aria-selected={isPinned}
            aria-label={tokenText(read)}
            className="token relative cursor-pointer rounded-[2px]"
            data-token={token}
            style={tintStyle(tintOf(read.lost))}
            data-old={token >= text.readTokens.length || undefined}
          >
            {piece.slice(space.length)}
            {note !== null && (
              <span
                className={`top-[calc(100%-1px)] ${endsAtToken ? 'end-0' : 'start-0'} leading-[0.875rem] text-ink text-12 font-normal whitespace-nowrap absolute pointer-events-none`}
                aria-hidden="true"
              >
                {NOTE} <b>{note}</b>
              </span>
            )}
          </span>
        </span>
      );
    });
  }
}

/** The text before the pruned model's token, in the note below a token of the dense text. */
const NOTE = 'it would write';

/** The width of a note, px: its letters have 12 px where `measure` has 16, and bold ones are wider. */
function noteWidth(note: string, measure: TokenLinesProps['measure']): number {
  return 0.8 * measure(`${NOTE} ${note}`);
}

/**
 * Scrolls the element `id` into view if the user has chosen it, except when a new text arrives, which has another
 * `outcome`.
 */
function useScrollIntoView(id: string | null, isChosen: boolean, outcome: TextPair['outcome']): void {
  const previousOutcome = useRef(outcome);
  useEffect(() => {
    const token = id === null ? null : document.getElementById(id);
    // A new text does not scroll the page: the user may be selecting matrices at the other end.
    if (isChosen && previousOutcome.current === outcome) token?.scrollIntoView({ block: 'nearest' });
    previousOutcome.current = outcome;
  }, [id, isChosen, outcome]);
}
