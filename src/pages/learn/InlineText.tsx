import { type KeyboardEvent, type MouseEvent, type PointerEvent, useId, useRef } from 'react';
import { type DraggableNumber, draggableNumber } from '../../lessons/drag.ts';
import { type Lookup, numberText } from '../../lessons/expression.ts';
import type { Figure } from '../../lessons/figure.ts';
import { glossary } from '../../lessons/index.ts';
import type { Inline } from '../../lessons/lesson.ts';
import { decodeHash, withKnownParts } from '../../state/index.ts';
import { useApp } from '../../kit/app-context.ts';
import { densityText } from '../../kit/words/shares.ts';

interface InlineTextProps {
  readonly inline: readonly Inline[];
  /** computes the numbers; without it they are '…' */
  readonly lookup?: Lookup;
  /** the figure that dragged numbers change; without `figure` and `onDrag`, numbers to drag are '…' */
  readonly figure?: Figure;
  readonly onDrag?: (figure: Figure, name: string, value: number) => void;
}

/** Punctuation at the end of a sentence or a clause, which must stay on the same line as the button or term before it. */
const PUNCTUATION = /^[.,;:?!)]+/;

/** A paragraph of a lesson: text, links, terms with their meaning, and computed numbers, some of them draggable. */
export function InlineText({ inline, lookup, figure, onDrag }: InlineTextProps) {
  /** terms and numbers to drag do not break over lines */
  const isBox = (i: number): boolean => inline[i]?.kind === 'term' || inline[i]?.kind === 'drag';
  /** The punctuation that follows a term or a dragged number. */
  const punctuationAfter = (i: number): string => {
    const next = inline[i + 1];
    return isBox(i) && next?.kind === 'text' ? (PUNCTUATION.exec(next.text)?.[0] ?? '') : '';
  };
  return inline.map((piece, i) => {
    const key = `${i} ${piece.kind}`;
    switch (piece.kind) {
      case 'text':
        return <span key={key}>{piece.text.slice(punctuationAfter(i - 1).length)}</span>;
      case 'strong':
        return <strong key={key}>{piece.text}</strong>;
      case 'code':
        return <code key={key}>{piece.text}</code>;
      case 'number':
        return (
          <span key={key} className="text-[0.94em] tabular-nums font-mono">
            {lookup ? numberText(piece.expression, lookup) : '…'}
          </span>
        );
      case 'drag':
        return (
          <span key={key} className="whitespace-nowrap">
            {figure && onDrag ? (
              <DragNumber
                drag={draggableNumber(piece, figure)}
                onChange={(value) => onDrag(figure, piece.name, value)}
              />
            ) : (
              '…'
            )}
            {punctuationAfter(i)}
          </span>
        );
      case 'term':
        return (
          <span key={key} className="whitespace-nowrap">
            <Term text={piece.text} term={piece.term} />
            {punctuationAfter(i)}
          </span>
        );
      case 'link':
        return <LessonLink key={key} text={piece.text} href={piece.href} />;
    }
  });
}

/** Pointer movement from one value of a dragged number to the next, px. */
const STRIDE = 10;

/** A number in the text that changes the figure: it is dragged, or changed by arrow keys, Home and End. */
function DragNumber({
  drag,
  onChange,
}: {
  readonly drag: DraggableNumber;
  readonly onChange: (value: number) => void;
}) {
  const { label, isShare, values, value } = drag;
  const textOf = (number: number): string => (isShare ? densityText(number) : String(number));
  /** where a drag began: pointer position in px, and index of the value */
  const start = useRef({ x: 0, index: 0 });
  const index = values.indexOf(value);
  const go = (to: number): void => {
    const next = values[Math.min(Math.max(to, 0), values.length - 1)];
    if (next !== value) onChange(next);
  };
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, index };
  };
  const onPointerMove = (event: PointerEvent<HTMLSpanElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    go(start.current.index + Math.round((event.clientX - start.current.x) / STRIDE));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const indexByKey: Partial<Record<string, number>> = {
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      ArrowLeft: index - 1,
      ArrowDown: index - 1,
      Home: 0,
      End: values.length - 1,
    };
    const next = indexByKey[event.key];
    if (next === undefined) return;
    event.preventDefault();
    go(next);
  };
  return (
    <span
      className="lesson-drag text-[0.94em] tabular-nums font-mono inline-block font-semibold bg-sunken rounded-md leading-6"
      role="spinbutton"
      tabIndex={0}
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={values[0]}
      aria-valuemax={values.at(-1)}
      aria-valuetext={textOf(value)}
      title={`drag, or press ← and →: ${textOf(values[0])} to ${textOf(values[values.length - 1])}`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    >
      {textOf(value)}
    </span>
  );
}

/** A link in a lesson; a link within the application keeps the open matrix. */
export function LessonLink({ text, href }: { readonly text: string; readonly href: string }) {
  const { document, catalog } = useApp();
  const go = (event: MouseEvent): void => {
    if (!/^#[12]\//.test(href) || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const before = document.getState();
    const linked = withKnownParts(decodeHash(href, catalog).document, before, catalog);
    document.setState({ ...before, view: linked.view, pages: linked.pages });
  };
  return (
    <a href={href} onClick={go}>
      {text}
    </a>
  );
}

/** A word of the glossary, with its meaning as a tooltip. */
function Term({ text, term }: { readonly text: string; readonly term: string }) {
  const id = useId();
  return (
    <span className="term relative">
      <button
        type="button"
        className="underline decoration-dotted decoration-quiet underline-offset-[0.2em] cursor-help min-h-0"
        aria-describedby={id}
      >
        {text}
      </button>
      <span
        className="term-meaning leading-[1.45] bg-control text-ink text-13 absolute rounded-md border border-control-border shadow-float px-3 py-2 w-max"
        role="tooltip"
        id={id}
      >
        {glossary.get(term)?.meaning}
      </span>
    </span>
  );
}
