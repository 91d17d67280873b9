// The tokens at which the most, or the fewest, neurons fire.

import { memo } from 'react';
import { pieceText } from './firing-tokens.ts';
import type { RecordedPiece } from './firing-record.ts';

interface PieceBarsProps {
  readonly title: string;
  readonly caption: string;
  readonly pieces: readonly RecordedPiece[];
  /** the value of a full bar */
  readonly max: number;
}

/** Maximum number of tokens shown. */
const SHOWN = 10;

/** Tokens (pieces of text), each with a bar for the mean number of neurons that fire at the token. */
export const PieceBars = memo(function PieceBars({ title, caption, pieces, max }: PieceBarsProps) {
  return (
    <section aria-label={title}>
      <h3 className="side-head">
        {title} <span className="section-caption">{caption}</span>
      </h3>
      <ol className="grid grid-flow-col grid-cols-2 grid-rows-[repeat(5,auto)] gap-y-2 gap-x-4 text-12">
        {pieces.slice(0, SHOWN).map(({ piece, mean, seen }) => (
          <li className="flex items-center gap-2 min-w-0" key={piece} title={`seen ${seen} times`}>
            <span className="w-17 truncate text-end flex-none">{pieceText(piece)}</span>
            {/* A full bar has the width that the text, the number and two gaps leave. */}
            <span
              className="w-[calc((100%-7.25rem)*var(--piece-share))] h-2.5 flex-none bytes--values"
              style={{ '--piece-share': mean / max }}
            />
            <span className="number text-muted">{mean.toFixed(1)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
});
