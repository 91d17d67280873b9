import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Drag } from '../../lessons/drag.ts';

interface DragNumberProps {
  readonly drag: Drag;
  readonly onChange: (value: number) => void;
}

/** Pointer movement per step, px. */
const STRIDE = 10;

/** A number in the text that changes the figure: drag it, or use arrow keys, Home and End. */
export function DragNumber({ drag, onChange }: DragNumberProps) {
  const { label, values, value } = drag;
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
      className="lesson-number lesson-drag"
      role="spinbutton"
      tabIndex={0}
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={values[0]}
      aria-valuemax={values.at(-1)}
      title={`drag, or press ← and →: ${values[0]} to ${values.at(-1)}`}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onKeyDown={onKeyDown}
    >
      {value}
    </span>
  );
}
