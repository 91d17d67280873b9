import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Cell, CsrMatrix } from '../../../core/matrix/index.ts';
import type { Scene } from '../../../story/scene.ts';
import { cellName } from '../../../story/scene-parts.ts';
import { valueText } from '../../../core/text/words.ts';
import { useApp, useDocument, useSession, oncePerPage } from '../../../kit/app-context.ts';
import { belongsToField } from '../../../kit/shortcuts.ts';
import { movedCursor } from '../../../kit/matrix/MatrixView.tsx';
import type { CanvasEditing } from '../../../kit/stage/SceneCanvas.tsx';
import { visibleStory } from '../../../state/index.ts';
import { type TypedNumber, useTypedNumber } from './typed-number.ts';

/** A finger that rests on a weight for this time drags it; a quicker one swipes. */
const REST_MS = 150;
/** A press that moves further than this sets and clears nothing, px. */
const STILL_PX = 8;
/** Cells narrower than this are too small for a finger, px. */
const FINGER_PX = 12;

/** A press on the picture that has not ended. */
interface Press {
  readonly x: number;
  readonly y: number;
  readonly isTouch: boolean;
  /** the pressed cell; during a drag, where the dragged weight is; null: none */
  cell: Cell | null;
  /** whether it may become a drag: a finger has to rest first, a mouse does not */
  canDrag: boolean;
  isDrag: boolean;
  /** the column to which the drag last tried to move the weight; -1: none */
  tried: number;
  /** the column to which the weight moves next; null: none */
  target: number | null;
  isMoving: boolean;
}

/** What draws the picture; null before it is created and after it is removed. */
type View = RefObject<Parameters<CanvasEditing['onView']>[0]>;

const createHasEdited = () => createStore<boolean>(() => false);

/** What the picture and its status line need for editing. */
export type CellEditing = ReturnType<typeof useCellEditing>;

/**
 * Lets the user edit the cells of the picture: a press, or Enter at the cursor, sets or clears a cell; a drag, or Shift
 * with an arrow key, moves a weight along its row. A press does not focus the picture: the player's keys still work.
 * `stage`: the element around the picture, which Escape focuses.
 */
export function useCellEditing(scene: Scene | null, stage: RefObject<HTMLElement | null>) {
  const app = useApp();
  const { session, hover } = app;
  const window = useSession((s) => s.window);
  // Row and column in the matrix of the picture's upper left cell.
  const corner = useDocument((doc) => doc.window);
  const noun = useSession((s) => (visibleStory(s.trace)?.trace.contents === 'activations' ? 'value' : 'weight'));
  const rejection = useSession((state) => state.rejectedEdit);
  const pressedCell = useSession((state) => state.pressedCell); // the cell last changed, or pressed without effect
  const hasEdited = oncePerPage(app, createHasEdited);
  const isEdited = useStore(hasEdited);
  const view: View = useRef(null);
  const [cursor, setCursor] = useState<Cell | null>(null);
  const [hasCells, setHasCells] = useState(false);
  const last = useRef<Cell>({ row: 0, col: 0 });
  const isFocused = useRef(false);

  const cursorCell = cursor && window && clampedCell(cursor, window);
  const [row, col] = [cursorCell?.row ?? -1, cursorCell?.col ?? -1];
  useEffect(() => {
    const cell = row < 0 ? null : { row, col };
    view.current?.setCursor(cell);
    // The slots and bytes of the cell light up with it.
    hover.setState({ mark: cell && markOf(cell) });
  }, [hover, row, col]);
  // The canvas has drawn the picture by then.
  useEffect(() => setHasCells(view.current?.firstCell() != null), [scene]);
  const valueAt = (cell: Cell): number => {
    const now = session.store.getState().window;
    return now ? valueIn(now, cell) : 0;
  };
  const change = (cell: Cell, isTouch = false): void => {
    hasEdited.setState(true);
    void session.changeCell(cell);
    select({ ...cell, isTouch });
  };
  /** Moves a weight along its row; resolves with its cell afterwards. */
  const move = async (cell: Cell, to: number): Promise<Cell> => {
    hasEdited.setState(true);
    await session.changeCell(cell, { kind: 'move', toCol: to });
    return valueAt(cell) === 0 ? { ...cell, col: to } : cell;
  };
  const typing = useTypedNumber((cell, value) => {
    hasEdited.setState(true);
    void session.changeCell(cell, { kind: 'set', value });
  });
  const [selected, select] = useSelectedCell(typing, () => isFocused.current);
  const goTo = (cell: Cell | null): void => {
    last.current = cell ?? last.current;
    typing.forget();
    setCursor(cell);
  };
  /** Where the cursor appears: at its previous cell, if the picture contains it, else at the first cell. */
  const startOf = (shown: View['current']): Cell | null =>
    shown?.positionOf(last.current) ? last.current : (shown?.firstCell() ?? null);
  const handlers: ComponentProps<'div'> = {
    ...usePress({ view, valueAt, change, move }),
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onFocus: ({ target, currentTarget }: FocusEvent) => {
      if (target !== currentTarget) return;
      isFocused.current = true;
      goTo(startOf(view.current));
    },
    onBlur() {
      isFocused.current = false;
      typing.forget();
      setCursor(null);
    },
    onKeyDown(event: KeyboardEvent) {
      // A key may come before the last move is rendered. With Ctrl or Cmd, Enter is the page's key to run.
      const from = cursorCell && window && clampedCell(last.current, window);
      if (!from || !window || event.altKey || ((event.ctrlKey || event.metaKey) && event.key === 'Enter')) return;
      if (typing.onKey(event, from)) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      const isShown = (cell: Cell): boolean => view.current?.positionOf(cell) != null;
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by !== undefined && event.shiftKey && valueAt(from) !== 0) {
        const isFree = (col: number): boolean =>
          valueAt({ row: from.row, col }) === 0 && isShown({ row: from.row, col });
        const to = nextColumn(from.col, by, window.cols, isFree);
        if (to !== null) void move(from, to).then(goTo);
      } else if (event.key === 'Enter' || event.key === ' ') change(from);
      else if (event.key === 'Escape') stage.current?.focus({ preventScroll: true });
      else {
        let [before, next]: [Cell, Cell | null] = [from, movedCursor(from, event, window, window.rows)];
        if (!next) return;
        // Cells that the picture leaves out are skipped.
        while (next && !isShown(next) && cellName(next.row, next.col) !== cellName(before.row, before.col))
          [before, next] = [next, movedCursor(next, event, window, window.rows)];
        if (next && isShown(next)) goTo(next);
      }
      event.preventDefault();
      event.stopPropagation();
    },
  };
  const typed = typing.typed && typedText(typing.typed, corner);
  const cursorText = typed ?? (cursorCell && window && cellText(cursorCell, valueAt(cursorCell), { corner, noun }));
  const canvasEditing: CanvasEditing = {
    handlers,
    onView(next) {
      view.current = next;
      next?.setCursor(cursorCell);
    },
    onOpened() {
      setHasCells(view.current?.firstCell() != null);
      // The focus may have come before the cells.
      if (isFocused.current && !cursor) goTo(startOf(view.current));
    },
    label: cursorText,
    rejection: rejection !== null && pressedCell ? { text: rejection, cell: pressedCell } : null,
    field: selected?.isTouch
      ? { cell: selected, label: placeText(selected, corner), value: valueAt(selected), onText: typing.setText }
      : null,
  };
  return { canvasEditing, cursorText, hasCells, isUntried: hasCells && !isEdited };
}

/**
 * A press does not focus the picture: a number that is typed next is for the pressed cell all the same. Returns the
 * cell and the function that selects one. `isElsewhere`: the picture has the focus, and handles keys itself.
 */
function useSelectedCell(typing: ReturnType<typeof useTypedNumber>, isElsewhere: () => boolean) {
  const { player } = useApp();
  const [selected, setSelected] = useState<PressedCell | null>(null);
  const { onKey: onTypedKey, forget: forgetTyped } = typing;
  const typedElsewhere = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    if (isElsewhere() || !selected || event.defaultPrevented || belongsToField(event)) return;
    if (!onTypedKey(event, selected)) return;
    event.preventDefault();
    event.stopPropagation();
  });
  const frame = useStore(player.store, (state) => state.frame);
  const isSelected = selected !== null;
  // A press anywhere, or another frame, ends the selection: digits are keys of the page again.
  useEffect(() => {
    if (!isSelected) return;
    const listeners = new AbortController();
    const { signal } = listeners;
    const end = (event: Event): void => {
      if (event.target instanceof Element && event.target.closest('.cell-field')) return;
      forgetTyped();
      setSelected(null);
    };
    addEventListener('keydown', (event) => typedElsewhere(event), { capture: true, signal });
    addEventListener('pointerdown', end, { capture: true, signal });
    return () => listeners.abort();
  }, [isSelected, forgetTyped]);
  useEffect(
    () => () => {
      forgetTyped();
      setSelected(null);
    },
    [frame, forgetTyped],
  );
  return [selected, setSelected] as const;
}

/** A cell that was pressed; a finger has no keys to type a number, so that it is offered a field. */
interface PressedCell extends Cell {
  readonly isTouch: boolean;
}

interface CellActions {
  readonly view: View;
  valueAt(cell: Cell): number;
  change(cell: Cell, isTouch: boolean): void;
  /** Moves a weight along its row; resolves with its cell afterwards. */
  move(cell: Cell, to: number): Promise<Cell>;
}

/** Handlers that set, clear and drag cells by pointer or finger. */
function usePress({ view, valueAt, change, move }: CellActions): ComponentProps<'div'> {
  const press = useRef<Press | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const forget = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
    clearTimeout(timer.current);
    press.current = null;
    delete currentTarget.dataset.over;
  };
  const hasMoved = ({ clientX, clientY }: MouseEvent, pressed: Press): boolean =>
    Math.max(Math.abs(clientX - pressed.x), Math.abs(clientY - pressed.y)) > STILL_PX;
  /** Moves the weight to the last position of the pointer, which may be faster than a move. */
  const moveOn = async (pressed: Press): Promise<void> => {
    pressed.isMoving = true;
    while (pressed.cell && pressed.target !== null) {
      const to = pressed.target;
      pressed.target = null;
      pressed.cell = await move(pressed.cell, to);
    }
    pressed.isMoving = false;
  };
  const dragTo = ({ clientX: x, clientY: y }: PointerEvent, pressed: Press): void => {
    const shown = view.current;
    const position = pressed.cell && shown?.positionOf(pressed.cell);
    if (!pressed.cell || !shown || !position) return;
    const { top } = shown.canvas.getBoundingClientRect();
    // The cell under the pointer or, if that is in another row, the cell of the weight's row at the same x.
    const isInRow = (cell: Cell | null): cell is Cell => cell !== null && cell.row === pressed.cell?.row;
    const to = [shown.cellAt(x, y), shown.cellAt(x, top + position.y + position.h / 2)].find(isInRow);
    if (!to || to.col === pressed.tried || to.col === pressed.cell.col) return;
    pressed.tried = to.col;
    if (valueAt(to) !== 0) return;
    pressed.target = to.col;
    if (!pressed.isMoving) void moveOn(pressed);
  };
  return {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      const { clientX: x, clientY: y, pointerType, isPrimary, button } = event;
      forget(event);
      if (!isPrimary || button !== 0) return;
      const isTouch = pointerType === 'touch';
      const cell = view.current?.cellAt(x, y, isTouch) ?? null;
      press.current = {
        x,
        y,
        isTouch,
        cell,
        canDrag: !isTouch,
        isDrag: false,
        tried: -1,
        target: null,
        isMoving: false,
      };
      if (isTouch) timer.current = setTimeout(() => press.current && (press.current.canDrag = true), REST_MS);
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      const { currentTarget, clientX, clientY, pointerType, pointerId } = event;
      const pressed = press.current;
      if (!pressed) {
        const cell = pointerType === 'touch' ? null : view.current?.cellAt(clientX, clientY);
        if (cell) currentTarget.dataset.over = valueAt(cell) === 0 ? 'empty' : 'weight';
        else delete currentTarget.dataset.over;
        return;
      }
      if (!pressed.isDrag && hasMoved(event, pressed)) {
        if (!pressed.cell || !pressed.canDrag || valueAt(pressed.cell) === 0) return forget(event);
        pressed.isDrag = true;
        currentTarget.dataset.over = 'drag';
        currentTarget.setPointerCapture(pointerId);
      }
      if (pressed.isDrag) dragTo(event, pressed);
    },
    onPointerUp(event: PointerEvent<HTMLDivElement>) {
      const pressed = press.current;
      forget(event);
      if (!pressed?.cell || pressed.isDrag || hasMoved(event, pressed)) return;
      const width = view.current?.positionOf(pressed.cell)?.w ?? 0;
      if (!pressed.isTouch || width >= FINGER_PX) change(pressed.cell, pressed.isTouch);
    },
    onPointerCancel: forget,
    onPointerLeave: ({ currentTarget }: PointerEvent<HTMLDivElement>) => {
      if (!press.current) delete currentTarget.dataset.over;
    },
    // A finger that rests on a cell must not open the menu of the browser.
    onContextMenu(event: MouseEvent) {
      if (press.current?.isTouch) event.preventDefault();
    },
  };
}

/** The next column in this direction that is free; null: none. */
function nextColumn(from: number, by: number, cols: number, isFree: (col: number) => boolean): number | null {
  for (let col = from + by; col >= 0 && col < cols; col += by) if (isFree(col)) return col;
  return null;
}

function clampedCell({ row, col }: Cell, { rows, cols }: CsrMatrix): Cell | null {
  return rows === 0 || cols === 0 ? null : { row: Math.min(row, rows - 1), col: Math.min(col, cols - 1) };
}

function valueIn({ indptr, indices, data }: CsrMatrix, { row, col }: Cell): number {
  const i = indices.subarray(indptr[row], indptr[row + 1]).indexOf(col);
  return i < 0 ? 0 : data[indptr[row] + i];
}

/** 'row 0, column 1: 2.5, Enter sets it', in numbers of the matrix. */
function typedText({ cell, text, problem }: TypedNumber, corner: Cell | null): string {
  return `${placeText(cell, corner)}: ${problem ?? `${text}, Enter sets it`}`;
}

/** 'row 466, column 12', in numbers of the matrix. */
const placeText = ({ row, col }: Cell, corner: Cell | null): string =>
  `row ${(corner?.row ?? 0) + row}, column ${(corner?.col ?? 0) + col}`;

/** 'row 466, column 12: weight 0.5, press to clear', in numbers of the matrix. */
function cellText(
  cell: Cell,
  value: number,
  { corner, noun }: { readonly corner: Cell | null; readonly noun: string },
): string {
  const contents = value === 0 ? 'empty, press to set' : `${noun} ${valueText(value)}, press to clear`;
  return `${placeText(cell, corner)}: ${contents}`;
}

/** The mark that makes the picture light up a cell. */
function markOf({ row, col }: Cell) {
  const name = cellName(row, col);
  return { id: name, shape: 'box', x: col, y: row, w: 1, h: 1, tone: 'values', highlightNames: [name] } as const;
}
