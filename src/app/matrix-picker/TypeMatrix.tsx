import {
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { messageOf } from '../../core/error-messages.ts';
import { counted } from '../../core/text/words.ts';
import type { BaseSource, CellsSource } from '../../engine/matrix/source-types.ts';
import { useDocument } from '../../kit/app-context.ts';
import { Button } from '../../kit/controls/Button.tsx';
import { Row, Stack } from '../../kit/primitives/Layout.tsx';
import { baseOf } from '../../state/index.ts';
import {
  emptyGrid,
  gridOfSource,
  gridProblem,
  gridText,
  MAX_TYPED_SIDE,
  numberOf,
  readGrid,
  resizedGrid,
  sourceOfGrid,
  type TypedGrid,
  withPasted,
} from './typed-grid.ts';

/** The size with which typing begins. */
const FIRST_ROWS = 4;
const FIRST_COLS = 8;

/** A position in the grid. */
interface Position {
  readonly row: number;
  readonly col: number;
}

/** The grid with its undo history. */
interface GridHistory {
  readonly grid: TypedGrid;
  /** earlier grids, to which undo returns, the latest last */
  readonly past: readonly TypedGrid[];
  /** grids that were undone, to which redo returns, the next one last */
  readonly future: readonly TypedGrid[];
}

/** States of the grid that can be undone. */
const MAX_UNDO = 200;

/** The grid with its undo and redo; it begins with the open matrix, if that was typed or is as small. */
function useGrid(open: BaseSource) {
  const [{ grid, past, future }, setHistory] = useState<GridHistory>(() => {
    const openGrid = open.kind === 'cells' ? gridOfSource(open) : null;
    return { grid: openGrid ?? emptyGrid(FIRST_ROWS, FIRST_COLS), past: [], future: [] };
  });
  return {
    grid,
    setGrid: (next: TypedGrid): void =>
      setHistory((now) => ({ grid: next, past: [...now.past, now.grid].slice(-MAX_UNDO), future: [] })),
    undo(): void {
      const last = past.at(-1);
      if (last) setHistory({ grid: last, past: past.slice(0, -1), future: [...future, grid] });
    },
    redo(): void {
      const next = future.at(-1);
      if (next) setHistory({ grid: next, past: [...past, grid], future: future.slice(0, -1) });
    },
  };
}

/** A form for a small matrix: a grid of cells to type into, the same cells as a text, and a button that opens it. */
export function TypeMatrix({ onOpen }: { readonly onOpen: (source: CellsSource) => void }) {
  const open = useDocument((doc) => baseOf(doc.source));
  const { grid, setGrid, undo, redo } = useGrid(open);
  // The text while the user edits it; null: the text of the grid.
  const [text, setText] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [active, setActive] = useState<Position>({ row: 0, col: 0 });
  const box = useRef<HTMLDivElement>(null);
  const problemId = useId();
  const [rows, cols] = [grid.length, grid[0].length];

  const change = (next: TypedGrid): void => {
    setProblem(null);
    setActive(({ row, col }) => ({ row: Math.min(row, next.length - 1), col: Math.min(col, next[0].length - 1) }));
    setGrid(next);
  };
  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const setCell = (row: number, col: number, value: string): void =>
    change(grid.map((cells, r) => (r === row ? cells.with(col, value) : cells)));
  const focusCell = (row: number, col: number): void => {
    const to = { row: Math.max(0, Math.min(rows - 1, row)), col: Math.max(0, Math.min(cols - 1, col)) };
    setActive(to);
    const field = box.current?.querySelectorAll<HTMLInputElement>('[role=gridcell] > input')[to.row * cols + to.col];
    field?.focus();
    field?.select();
  };
  const confirm = (): void =>
    attempt(() => {
      const invalid = gridProblem(grid);
      if (invalid === null) return onOpen(sourceOfGrid(grid));
      focusCell(invalid.row, invalid.col);
      setProblem(invalid.text);
    });
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    const field = event.target instanceof HTMLInputElement ? event.target : null;
    const { row, col } = active;
    if (event.ctrlKey || event.metaKey) {
      const isUndo = key.toLowerCase() === 'z' && !event.shiftKey;
      const isRedo = (key.toLowerCase() === 'z' && event.shiftKey) || key.toLowerCase() === 'y';
      if (key === 'Home') focusCell(0, 0);
      else if (key === 'End') focusCell(rows - 1, cols - 1);
      else if (isUndo) undo();
      else if (isRedo) redo();
      else return;
    } else if (key === 'ArrowUp') focusCell(row - 1, col);
    else if (key === 'ArrowDown') focusCell(row + 1, col);
    else if (key === 'ArrowLeft') focusCell(row, col - 1);
    else if (key === 'ArrowRight') focusCell(row, col + 1);
    else if (key === 'Home') focusCell(row, 0);
    else if (key === 'End') focusCell(row, cols - 1);
    // At the end of a row Enter goes to the next, as in a spreadsheet.
    else if (key === 'Enter') focusCell(col === cols - 1 ? row + 1 : row, col === cols - 1 ? 0 : col + 1);
    else if (key === 'Delete') setCell(row, col, '');
    // Escape undoes a text that is not a number.
    else if (key === 'Escape' && field && grid[row][col] !== '' && numberOf(grid[row][col]) === null) undo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.getData('text/plain').trimEnd();
    // A single number is pasted by the field.
    if (!/[\s;]|,.*,/.test(pasted.trim())) return;
    event.preventDefault();
    attempt(() => change(withPasted(grid, active.row, active.col, readGrid(pasted))));
  };
  const resize = (byRows: number, byCols: number): void => change(resizedGrid(grid, rows + byRows, cols + byCols));

  return (
    <Stack gap={3}>
      <p className="text-muted text-12">
        Type into the cells, or paste them from a spreadsheet: tabs, spaces and commas separate. An empty cell is 0.
      </p>
      <CellsGrid {...{ box, grid, active, onKeyDown, onPaste }} onFocus={setActive} onCell={setCell} />
      <ShapeButtons rows={rows} cols={cols} onResize={resize} />
      <label className="field grid gap-1">
        <span className="text-12 text-muted">The same as text: a ; ends a row</span>
        <textarea
          className="input number h-auto resize-y"
          rows={2}
          spellCheck={false}
          placeholder="1 0 2; 0 3 0"
          aria-describedby={problem === null ? undefined : problemId}
          value={text ?? gridText(grid)}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setText(value);
            attempt(() => change(readGrid(value)));
          }}
          onBlur={() => problem === null && setText(null)}
        />
      </label>
      <p role="status" id={problemId} className={problem === null ? 'unseen' : 'field-error'}>
        {problem}
      </p>
      <Row gap={2}>
        <Button kind="solid" disabled={text !== null && problem !== null} onClick={confirm}>
          Open these {counted(rows * cols, 'cell')}
        </Button>
        <Button
          onClick={() => {
            setText(null);
            change(emptyGrid(rows, cols));
            focusCell(0, 0);
          }}
        >
          Clear all
        </Button>
      </Row>
      <FirstFocus box={box} />
    </Stack>
  );
}

interface CellsGridProps extends Pick<GridRowProps, 'onFocus' | 'onCell'> {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly grid: TypedGrid;
  readonly active: Position;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
}

/** The cells, each a text field; Tab reaches one of them, and arrow keys the others. */
function CellsGrid({ box, grid, active, onKeyDown, onPaste, onFocus, onCell }: CellsGridProps) {
  const [rows, cols] = [grid.length, grid[0].length];
  return (
    <div className="overflow-auto max-h-[50vh] p-1">
      <div
        ref={box}
        role="grid"
        tabIndex={-1}
        aria-label={`Cells, ${rows} × ${cols}`}
        aria-rowcount={rows}
        aria-colcount={cols}
        className="type-grid"
        style={{ gridTemplateColumns: `auto repeat(${cols}, minmax(2.25rem, 3.5rem))` }}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      >
        <div role="row" className="contents">
          <span role="columnheader" aria-label="row" />
          {grid[0].map((_, col) => (
            // Columns have no other identity than their number.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={col} role="columnheader" className="text-quiet text-12 text-center number">
              {col}
            </span>
          ))}
        </div>
        {grid.map((cells, row) => (
          <GridRow
            // oxlint-disable-next-line react/no-array-index-key
            key={row}
            row={row}
            cells={cells}
            activeCol={active.row === row ? active.col : -1}
            onFocus={onFocus}
            onCell={onCell}
          />
        ))}
      </div>
    </div>
  );
}

interface ShapeButtonsProps {
  readonly rows: number;
  readonly cols: number;
  readonly onResize: (byRows: number, byCols: number) => void;
}

/** Buttons that add and remove the last row and column. */
function ShapeButtons({ rows, cols, onResize }: ShapeButtonsProps) {
  return (
    <Row gap={2}>
      <span className="number text-muted text-12">
        {rows} × {cols}
      </span>
      <Button disabled={rows === MAX_TYPED_SIDE} onClick={() => onResize(1, 0)}>
        + row
      </Button>
      <Button disabled={rows === 1} aria-label="Remove the last row" onClick={() => onResize(-1, 0)}>
        − row
      </Button>
      <Button disabled={cols === MAX_TYPED_SIDE} onClick={() => onResize(0, 1)}>
        + column
      </Button>
      <Button disabled={cols === 1} aria-label="Remove the last column" onClick={() => onResize(0, -1)}>
        − column
      </Button>
    </Row>
  );
}

/** Focuses the first cell once. */
function FirstFocus({ box }: { readonly box: RefObject<HTMLElement | null> }) {
  useEffect(() => {
    // On a phone the keyboard would cover the grid.
    if (matchMedia('(pointer: coarse)').matches) return;
    box.current?.querySelector<HTMLInputElement>('input')?.focus({ preventScroll: true });
  }, [box]);
  return null;
}

interface GridRowProps {
  readonly row: number;
  readonly cells: readonly string[];
  /** the column of the cell that Tab reaches; -1: it is in another row */
  readonly activeCol: number;
  readonly onFocus: (position: Position) => void;
  readonly onCell: (row: number, col: number, text: string) => void;
}

const GridRow = memo(function GridRow({ row, cells, activeCol, onFocus, onCell }: GridRowProps) {
  return (
    <div role="row" className="contents">
      <span role="rowheader" className="text-quiet text-12 text-end number self-center pe-1">
        {row}
      </span>
      {cells.map((text, col) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={col} role="gridcell">
          <input
            className="type-cell number"
            aria-label={`row ${row}, column ${col}`}
            aria-invalid={numberOf(text) === null || undefined}
            tabIndex={col === activeCol ? 0 : -1}
            autoComplete="off"
            placeholder="0"
            maxLength={24}
            value={text}
            onFocus={(event) => {
              onFocus({ row, col });
              event.currentTarget.select();
            }}
            onChange={(event) => onCell(row, col, event.currentTarget.value)}
          />
        </div>
      ))}
    </div>
  );
});
