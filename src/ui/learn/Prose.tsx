import { useId } from 'react';
import type { Words } from '../../core/story/scene.ts';
import { type Lookup, numberText } from '../../lessons/expression.ts';
import { glossary } from '../../lessons/index.ts';
import type { Inline } from '../../lessons/lesson.ts';

/** The pieces of a paragraph; its numbers are worked out of the figure beside it. */
export function Prose({ inline, lookup }: { readonly inline: readonly Inline[]; readonly lookup?: Lookup }) {
  return inline.map((piece, i) => {
    // The text of a lesson never changes its order.
    const key = `${i} ${piece.kind}`;
    switch (piece.kind) {
      case 'text':
        return <span key={key}>{piece.text}</span>;
      case 'strong':
        return <strong key={key}>{piece.text}</strong>;
      case 'code':
        return <code key={key}>{piece.text}</code>;
      case 'number':
        return (
          <span key={key} className="lesson-number">
            {lookup ? numberText(piece.expression, lookup) : '…'}
          </span>
        );
      case 'term':
        return <Term key={key} text={piece.text} term={piece.term} />;
      case 'link':
        return (
          <a key={key} href={piece.href}>
            {piece.text}
          </a>
        );
    }
  });
}

/** A word with its meaning, on hover and on focus. */
function Term({ text, term }: { readonly text: string; readonly term: string }) {
  const id = useId();
  return (
    <span className="term">
      <button type="button" className="term-word" aria-describedby={id}>
        {text}
      </button>
      <span className="term-meaning" role="tooltip" id={id}>
        {glossary.get(term)}
      </span>
    </span>
  );
}

/** Words of a story or of a question. */
export function Spoken({ words }: { readonly words: readonly Words[] }) {
  return words.map((word, i) => {
    const key = `${i} ${word.text}`;
    return word.strong ? <strong key={key}>{word.text}</strong> : <span key={key}>{word.text}</span>;
  });
}
