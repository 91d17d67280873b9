import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Cell, CsrMatrix } from '../../../core/matrix/index.ts';
import type { Scene } from '../../../core/story/scene.ts';
import { cellName } from '../../../core/story/scene-parts.ts';
import { valueText } from '../../../core/story/words.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { movedCursor } from '../../../kit/matrix/matrix-cursor.ts';
import type { PictureTouch } from '../../../kit/stage/SceneCanvas.tsx';

/** How long a finger rests on a cell before it is set or cleared: a shorter touch, or one that moves, may be a swipe. */
const LONG_PRESS_MS = 500;
/** A press that has moved further means nothing, px. */
const STILL_PX = 8;

/** What a picture needs so that its cells are set and cleared, and the cell that the keyboard is at. */
export interface Touch {
  readonly touch: PictureTouch;
  /** where the keyboard is, in words; null where it is elsewhere */
  readonly cursorText: string | null;
  /** Puts the keyboard on the picture. */
  readonly enter: () => void;
}

/**
 * A click on a cell of the picture, a finger that rests on it, or Enter at the cursor sets or clears it. The picture has a
 * cursor while it has the focus, which a press does not give it: keys of the player work on after a click.
 */
export function useTouch(scene: Scene | null, leave: RefObject<HTMLElement | null>): Touch {
  const { session, hover } = useApp();
  const window = useSession((s) => s.window);
  const view = useRef<Parameters<PictureTouch['onView']>[0]>(null);
  const [cursor, setCursor] = useState<Cell | null>(null);
  const [isShown, setIsShown] = useState(true);
  const last = useRef<Cell>({ row: 0, col: 0 });
  const press = useRef<{ readonly x: number; readonly y: number; readonly isTouch: boolean } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const at = cursor && window && within(cursor, window);
  const [row, col] = [at?.row ?? -1, at?.col ?? -1];
  useEffect(() => {
    const cell = row < 0 ? null : { row, col };
    view.current?.setCursor(cell);
    // The slots and bytes of the cell light up with it.
    hover.setState({ mark: cell && markOf(cell) });
  }, [hover, row, col]);
  useEffect(() => () => clearTimeout(timer.current), []);
  // After every picture, which its canvas has drawn by then.
  useEffect(() => setIsShown(row < 0 || view.current?.shows({ row, col }) !== false), [scene, row, col]);

  const toggleAt = (x: number, y: number, isTouch: boolean): void => {
    const cell = view.current?.cellAt(x, y, isTouch);
    if (cell) void session.toggleCell(cell);
  };
  const forget = (): void => {
    clearTimeout(timer.current);
    press.current = null;
  };
  const hasMoved = ({ clientX, clientY }: MouseEvent): boolean => {
    const from = press.current;
    return from === null || Math.max(Math.abs(clientX - from.x), Math.abs(clientY - from.y)) > STILL_PX;
  };
  const handlers: ComponentProps<'div'> = {
    onPointerDown({ clientX: x, clientY: y, pointerType, isPrimary, button }: PointerEvent) {
      forget();
      if (!isPrimary || button !== 0) return;
      const isTouch = pointerType === 'touch';
      press.current = { x, y, isTouch };
      if (isTouch) timer.current = setTimeout(() => toggleAt(x, y, true), LONG_PRESS_MS);
    },
    onPointerMove(event: PointerEvent) {
      if (press.current?.isTouch && hasMoved(event)) forget();
    },
    onPointerUp: () => clearTimeout(timer.current),
    onPointerCancel: forget,
    onClick(event: MouseEvent) {
      const from = press.current;
      // What was under the pointer as it was pressed: a click has whole px alone.
      if (from && !from.isTouch && !hasMoved(event)) toggleAt(from.x, from.y, false);
      forget();
    },
    // A finger that rests on a cell means the cell, not the menu of the browser.
    onContextMenu(event: MouseEvent) {
      if (press.current?.isTouch) event.preventDefault();
    },
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onFocus: ({ target, currentTarget }: FocusEvent) => {
      if (target === currentTarget) setCursor(last.current);
    },
    onBlur: () => setCursor(null),
    onKeyDown(event: KeyboardEvent) {
      if (!at || !window || event.altKey) return;
      const next = movedCursor(at, event, window, window.rows);
      if (next) {
        last.current = next;
        setCursor(next);
      } else if (event.key === 'Enter') void session.toggleCell(at);
      else if (event.key === 'Escape') leave.current?.focus({ preventScroll: true });
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
  return {
    touch: {
      handlers,
      onView(next) {
        view.current = next;
        next?.setCursor(at);
      },
    },
    cursorText:
      at &&
      window &&
      `row ${at.row}, column ${at.col}: ${cellText(window, at)}${isShown ? '' : ', not in this picture'}`,
    enter: () => view.current?.canvas.closest<HTMLElement>('[role=application]')?.focus({ preventScroll: true }),
  };
}

function within({ row, col }: Cell, { rows, cols }: CsrMatrix): Cell | null {
  return rows === 0 || cols === 0 ? null : { row: Math.min(row, rows - 1), col: Math.min(col, cols - 1) };
}

function cellText({ indptr, indices, data }: CsrMatrix, { row, col }: Cell): string {
  const found = indices.subarray(indptr[row], indptr[row + 1]).indexOf(col);
  return found < 0 ? 'empty' : valueText(data[indptr[row] + found]);
}

/** What the picture lights up with a cell. */
function markOf({ row, col }: Cell) {
  const name = cellName(row, col);
  return { id: name, shape: 'box', x: col, y: row, w: 1, h: 1, tone: 'values', about: [name] } as const;
}
