import { type KeyboardEvent, type MouseEvent, type PointerEvent, useId, useRef } from 'react';
import { type Drag, dragOf } from '../../lessons/drag.ts';
import { type Lookup, numberText } from '../../lessons/expression.ts';
import type { Figure } from '../../lessons/figure.ts';
import { glossary } from '../../lessons/index.ts';
import type { Inline } from '../../lessons/lesson.ts';
import { decodeHash, withKnownParts } from '../../state/index.ts';
import { useApp } from '../../kit/app-context.ts';
import { leftText } from '../../kit/words/shares.ts';

interface DragNumberProps {
  readonly drag: Drag;
  readonly onChange: (value: number) => void;
}

/** Pointer movement per step, px. */
const STRIDE = 10;

/** A number in the text that changes the figure: drag it, or use arrow keys, Home and End. */
function DragNumber({ drag, onChange }: DragNumberProps) {
  const { label, isShare, values, value } = drag;
  const textOf = (number: number): string => (isShare ? leftText(number) : String(number));
  const start = useRef({ x: 0, at: 0 });
  const at = values.indexOf(value);
  const go = (to: number): void => {
    const found = values[Math.min(Math.max(to, 0), values.length - 1)];
    if (found !== value) onChange(found);
  };
  const onPointerDown = (event: PointerEvent<HTMLSpanElement>): void => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, at };
  };
  const onPointerMove = (event: PointerEvent<HTMLSpanElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    go(start.current.at + Math.round((event.clientX - start.current.x) / STRIDE));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const to: Partial<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: values.length - 1,
    };
    const found = to[event.key];
    if (found === undefined) return;
    event.preventDefault();
    go(found);
  };
  return (
    <span
      className="lesson-number tabular mono lesson-drag inline-block weight-600 sunken rounded leading-6"
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

interface InlineTextProps {
  readonly inline: readonly Inline[];
  readonly lookup?: Lookup;
  /** receives changes of draggable numbers, and announcements; without both, numbers are fixed */
  readonly figure?: Figure;
  readonly onDrag?: (figure: Figure, name: string, value: number) => void;
}

/** Closing punctuation of a sentence or a clause. A browser would break the line between it and a box such as a button. */
const END = /^[.,;:?!)]+/;

/** The parts of a paragraph; its numbers are computed from the figure next to it. */
export function InlineText({ inline, lookup, figure, onDrag }: InlineTextProps) {
  const isDragged = figure !== undefined && onDrag !== undefined;
  const isBox = (i: number): boolean => inline[i]?.kind === 'term' || (isDragged && inline[i]?.kind === 'drag');
  const endAfter = (i: number): string => {
    const next = inline[i + 1];
    return isBox(i) && next?.kind === 'text' ? (END.exec(next.text)?.[0] ?? '') : '';
  };
  return inline.map((piece, i) => {
    // The text of a lesson never changes its order.
    const key = `${i} ${piece.kind}`;
    switch (piece.kind) {
      case 'text':
        return <span key={key}>{piece.text.slice(endAfter(i - 1).length)}</span>;
      case 'strong':
        return <strong key={key}>{piece.text}</strong>;
      case 'code':
        return <code key={key}>{piece.text}</code>;
      case 'number':
        return (
          <span key={key} className="lesson-number tabular mono">
            {lookup ? numberText(piece.expression, lookup) : '…'}
          </span>
        );
      case 'drag':
        return figure && onDrag ? (
          <span key={key} className="nowrap">
            <DragNumber drag={dragOf(piece, figure)} onChange={(value) => onDrag(figure, piece.name, value)} />
            {endAfter(i)}
          </span>
        ) : null;
      case 'term':
        return (
          <span key={key} className="nowrap">
            <Term text={piece.text} term={piece.term} />
            {endAfter(i)}
          </span>
        );
      case 'link':
        return <LessonLink key={key} text={piece.text} href={piece.href} />;
    }
  });
}

/** A link; links within this page keep the open matrix. */
export function LessonLink({ text, href }: { readonly text: string; readonly href: string }) {
  const { document, catalog } = useApp();
  const go = (event: MouseEvent): void => {
    if (!/^#[12]\//.test(href) || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    const before = document.getState();
    const asked = withKnownParts(decodeHash(href, catalog).document, before, catalog);
    document.setState({ ...before, view: asked.view, places: asked.places });
  };
  return (
    <a href={href} onClick={go}>
      {text}
    </a>
  );
}

function Term({ text, term }: { readonly text: string; readonly term: string }) {
  const id = useId();
  return (
    <span className="term relative">
      <button type="button" className="term-word min-h-0" aria-describedby={id}>
        {text}
      </button>
      <span
        className="term-meaning leading-145 control-ground text-ink size-13 absolute rounded framed afloat p-2-3 w-max-content"
        role="tooltip"
        id={id}
      >
        {glossary.get(term)?.meaning}
      </span>
    </span>
  );
}
