import { type PointerEvent, useRef } from 'react';
import { type Axis, clampTo } from './axis.ts';
import { type ChartCursor, movedByKey } from './cursor.ts';

interface CursorHandleProps {
  readonly cursor: ChartCursor;
  readonly axis: Axis;
  /** of its middle, px in the frame of its chart */
  readonly left: number;
  readonly top: number;
  /** where a place in px of the frame lies along the axis; drags only with it, by keys in any case */
  readonly placeAt?: (px: number) => number;
}

/** The handle of a cursor: a slider for keyboard and screen reader, dragged by pointer where it says where it is. */
export function CursorHandle({ cursor, axis, left, top, placeAt }: CursorHandleProps) {
  const grip = useRef<HTMLDivElement>(null);
  /** by a key */
  const isHeld = useRef(false);
  const letGo = (): void => {
    if (isHeld.current) cursor.onRelease?.();
    isHeld.current = false;
  };
  const { domain } = axis;
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const frame = grip.current?.offsetParent?.getBoundingClientRect();
    if (frame && placeAt) cursor.onMove(clampTo(domain, placeAt(event.clientX - frame.left)));
  };
  return (
    <div
      ref={grip}
      className="cursor-handle"
      data-drags={placeAt ? '' : undefined}
      role="slider"
      tabIndex={0}
      aria-label={cursor.label}
      aria-valuemin={domain[0]}
      aria-valuemax={domain[1]}
      aria-valuenow={cursor.at}
      aria-valuetext={cursor.text}
      style={{ left, top }}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const moved = movedByKey(event, cursor, axis);
        if (moved === null) return;
        event.preventDefault();
        event.stopPropagation();
        isHeld.current = true;
        cursor.onMove(moved);
      }}
      onKeyUp={letGo}
      onBlur={letGo}
      onLostPointerCapture={cursor.onRelease}
      onPointerDown={(event) => {
        if (event.button === 0 && placeAt) event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
      }}
    />
  );
}
