import './cell-editor.css';
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Cell, type CsrMatrix, toDense } from '../../../core/matrix/index.ts';
import { isStored, shortText } from '../../../core/cells/cells-text.ts';
import { cellName, magnitudeLevels } from '../../../core/story/scene-parts.ts';
import { valueText } from '../../../core/story/words.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { movedCursor } from '../../../kit/matrix/matrix-cursor.ts';
import { baseOf } from '../../../state/index.ts';

interface CellEditorProps {
  /** where the cursor is at first */
  readonly at: Cell;
  readonly onClose: () => void;
}

/** What a cell is set to that had no value before. */
const FIRST_VALUE = 1;

/** The cells of the window, in place of those of the picture, one by one to be set and cleared. */
export function CellEditor(props: CellEditorProps) {
  const window = useSession((s) => s.window);
  // What was cleared here comes back when it is set again; another shape is another matrix.
  return window && <Cells key={`${window.rows} ${window.cols}`} window={window} {...props} />;
}

function Cells({ window, at, onClose }: CellEditorProps & { readonly window: CsrMatrix }) {
  const editing = useEditing(window, at);
  const { cursor, lines, levelOf, moveTo, type, set, toggle } = editing;
  const { rows, cols } = window;
  const grid = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const focusCell = (): void => grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  // Where the cursor goes, the focus follows.
  useEffect(() => {
    if (document.activeElement !== field.current) focusCell();
  }, [cursor]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey) return;
    const plain = !event.ctrlKey && !event.metaKey;
    const next = movedCursor(cursor, event, { rows, cols }, rows);
    if (next) moveTo(next);
    else if (event.key === 'Enter' && plain) toggle(cursor);
    else if ((event.key === 'Delete' || event.key === 'Backspace') && plain) set(cursor, 0);
    else if (event.key === 'Escape') onClose();
    else if (/^[-−.\d]$/.test(event.key) && plain) {
      type(event.key);
      field.current?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <section className="cell-editor" aria-label="Edit the cells">
      <div className="cell-scroll">
        {/* The keys are those of the cells inside. */}
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- one of its cells has the focus */}
        <div
          ref={grid}
          className="cell-grid"
          role="grid"
          aria-label="Cells of the window"
          aria-describedby={`${id}-keys`}
          aria-rowcount={rows}
          aria-colcount={cols}
          style={{ '--cols': cols }}
          onKeyDown={onKeyDown}
          onClick={(event) => onCell(event, moveTo)}
          onDoubleClick={(event) => onCell(event, toggle)}
        >
          <div className="cell-columns" aria-hidden="true">
            <span />
            {Array.from({ length: cols }, (_, col) => (
              <span key={col}>{col % 4 === 0 || col === cols - 1 ? col : ''}</span>
            ))}
          </div>
          {lines.map((values, row) => (
            <Row
              // A row is the same row whatever its values are.
              // oxlint-disable-next-line react/no-array-index-key
              key={row}
              row={row}
              values={values}
              levelOf={levelOf}
              cursor={row === cursor.row ? cursor.col : null}
            />
          ))}
        </div>
      </div>
      <div className="cell-tools">
        <ValueField editing={editing} field={field} onDone={focusCell} />
        <p id={`${id}-keys`} className="cell-keys">
          Arrows move, Enter fills or clears, digits set a value, Esc is done.
        </p>
        <span className="gap" />
        <Back />
        <button type="button" className="button" onClick={onClose}>
          Done
        </button>
      </div>
      <p className="unseen" role="status">
        {editing.said}
      </p>
    </section>
  );
}

/** The cells, the cursor among them, and what is done with the one at the cursor. */
function useEditing(window: CsrMatrix, at: Cell) {
  const { session, hover } = useApp();
  const { rows, cols } = window;
  const [cursor, setCursor] = useState<Cell>(() => inside(at, rows, cols));
  const [typed, type] = useState<string | null>(null);
  const [said, say] = useState('');
  const cleared = useRef(new Map<string, number>());
  const lines = useMemo(() => {
    const all = toDense(window);
    return Array.from({ length: rows }, (_, row) => all.subarray(row * cols, (row + 1) * cols));
  }, [window, rows, cols]);
  const levelOf = useMemo(() => magnitudeLevels(window), [window]);
  // The slots and bytes of the cell light up in the picture.
  useEffect(() => {
    hover.setState({ mark: markOf(cursor) });
    return () => hover.setState({ mark: null });
  }, [hover, cursor]);

  const moveTo = (cell: Cell): void => {
    type(null);
    setCursor(cell);
  };
  const set = (cell: Cell, value: number): void => {
    type(null);
    const now = lines[cell.row][cell.col];
    if (value === now) return;
    if (now !== 0) cleared.current.set(cellName(cell.row, cell.col), now);
    void session.setCell(cell.row, cell.col, value);
    say(`Row ${cell.row}, column ${cell.col}: ${value === 0 ? 'cleared' : valueText(value)}`);
  };
  const toggle = (cell: Cell): void => {
    const filled = cleared.current.get(cellName(cell.row, cell.col)) ?? FIRST_VALUE;
    set(cell, lines[cell.row][cell.col] === 0 ? filled : 0);
  };
  return { cursor, value: lines[cursor.row][cursor.col], lines, levelOf, typed, said, moveTo, type, set, toggle };
}

interface ValueFieldProps {
  readonly editing: ReturnType<typeof useEditing>;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onDone: () => void;
}

/** The number in the cell at the cursor, to be typed. */
function ValueField({ editing: { cursor, value, typed, type, set, toggle }, field, onDone }: ValueFieldProps) {
  const id = useId();
  const text = typed ?? shortText(value);
  const meant = numberOf(text);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') type(null);
    else if (meant === null) return;
    else set(cursor, meant);
    onDone();
  };
  return (
    <>
      <label>
        <span className="cell-name">
          row {cursor.row}, column {cursor.col}
        </span>
        <input
          ref={field}
          className="input number"
          inputMode="decimal"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={meant === null}
          aria-describedby={meant === null ? id : undefined}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <button
        type="button"
        className="button"
        disabled={meant === null || typed === null || meant === value}
        onClick={() => meant !== null && set(cursor, meant)}
      >
        Set
      </button>
      <button type="button" className="button" onClick={() => toggle(cursor)}>
        {value === 0 ? 'Fill' : 'Clear'}
      </button>
      {meant === null && (
        <p id={id} className="field-error" role="alert">
          Row {cursor.row}, column {cursor.col}: found “{text}”, expected a number that f32 holds.
        </p>
      )}
    </>
  );
}

/** From an edited window to what it was a window of. */
function Back() {
  const { session } = useApp();
  const isEdited = useDocument(({ source }) => {
    const base = baseOf(source);
    return base.kind === 'edited' && base.of !== null;
  });
  if (!isEdited) return null;
  return (
    <button type="button" className="text-button" onClick={() => void session.leaveEdited()}>
      Undo all edits
    </button>
  );
}

interface RowProps {
  readonly row: number;
  readonly values: Float32Array;
  readonly levelOf: (value: number) => number;
  /** column of the cursor, if it is in this row */
  readonly cursor: number | null;
}

const Row = memo(function Row({ row, values, levelOf, cursor }: RowProps) {
  return (
    <div role="row" className="cell-row">
      <span className="cell-row-name" role="rowheader">
        {row}
      </span>
      {Array.from(values, (value, col) => (
        <div
          // A cell is the same cell whatever its value is.
          // oxlint-disable-next-line react/no-array-index-key
          key={col}
          role="gridcell"
          className="cell"
          tabIndex={col === cursor ? 0 : -1}
          aria-selected={col === cursor}
          aria-label={`row ${row}, column ${col}: ${value === 0 ? 'zero' : valueText(value)}`}
          data-set={value !== 0 || undefined}
          style={value === 0 ? undefined : { '--level': `${Math.round(100 * levelOf(value))}%` }}
          data-cell={`${row} ${col}`}
        />
      ))}
    </div>
  );
});

function inside({ row, col }: Cell, rows: number, cols: number): Cell {
  return { row: Math.min(row, rows - 1), col: Math.min(col, cols - 1) };
}

/** Calls `act` with the cell that was pressed. */
function onCell({ target }: MouseEvent, act: (cell: Cell) => void): void {
  const at = target instanceof HTMLElement ? target.dataset.cell : undefined;
  if (at === undefined) return;
  const [row, col] = at.split(' ').map(Number);
  act({ row, col });
}

/** null for a text that is no number, or one that f32 does not hold. */
function numberOf(text: string): number | null {
  const plain = text.trim().replace('\u2212', '-');
  const value = plain === '' ? Number.NaN : Number(plain);
  return isStored(value) ? value : null;
}

/** What the picture lights up with a cell. */
function markOf({ row, col }: Cell) {
  const name = cellName(row, col);
  return { id: name, shape: 'box', x: col, y: row, w: 1, h: 1, tone: 'values', about: [name] } as const;
}
