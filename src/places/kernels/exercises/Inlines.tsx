import type { Inline } from '../../../lessons/lesson.ts';

/** Inline text of an exercise: plain, strong, and code. */
export function Paragraphs({ of }: { readonly of: readonly (readonly Inline[])[] }) {
  return of.map((paragraph, i) => (
    // oxlint-disable-next-line react/no-array-index-key -- the text of an exercise never changes its order
    <p key={i}>
      {paragraph.map((piece, j) => {
        const key = `${j} ${piece.kind}`;
        if (piece.kind === 'strong') return <strong key={key}>{piece.text}</strong>;
        if (piece.kind === 'code') return <code key={key}>{piece.text}</code>;
        return (
          <span key={key}>{'text' in piece ? piece.text : 'expression' in piece ? piece.expression : piece.name}</span>
        );
      })}
    </p>
  ));
}
