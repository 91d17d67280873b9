import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import type { Region } from '../../../core/matrix/index.ts';
import type { SpyHover, SpyView, SpyViewState } from '../../../render/index.ts';
import { formatColor, type Theme } from '../../../render/theme.ts';
import { fitWindow, MAX_WINDOW } from '../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { Icon, type IconName } from '../../../kit/controls/Icon.tsx';
import { percent, shape, value } from '../../../kit/words/quantity.ts';
import { useMedia } from '../../../kit/browser/use-media.ts';
import { useShell } from '../../../kit/frame/shell-context.ts';
import { type Cell, movedCursor } from './matrix-cursor.ts';
import { useSpyView } from './use-spy-view.ts';

const HOVER_HELP = 'Arrow keys move, + and − zoom, Enter puts the window at the cursor.';

/** The spy plot with its tools, keyboard navigation, and a line about the cell under pointer or cursor. */
export function MatrixView() {
  const { session } = useApp();
  const { theme } = useShell();
  const summary = useSession((s) => s.summary);
  const window_ = useDocument((doc) => doc.window);
  const format = useDocument((doc) => doc.format);
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');

  const container = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<SpyHover | null>(null);
  // A cursor does not carry over to another matrix.
  const [walk, setWalk] = useState<{ readonly generation: number; readonly cell: Cell } | null>(null);
  const cursor = walk !== null && walk.generation === summary?.generation ? walk.cell : null;
  const setCursor = (cell: Cell | null): void =>
    setWalk(cell && summary ? { generation: summary.generation, cell } : null);
  const [state, setState] = useState<SpyViewState | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [withMarginals, setWithMarginals] = useState(true);
  const color = formatColor(theme, format);
  const view = useSpyView(container, () => ({
    theme,
    formatColor: color,
    reducedMotion,
    maxWindow: { rows: MAX_WINDOW, cols: MAX_WINDOW },
    provider: async (request) => {
      const tile = await session.spy(request);
      if (!tile) throw new Error('The matrix has changed.');
      return tile;
    },
    onHover: setHover,
    onView: setState,
    onNote: setNote,
    onPickWindow: (region) => {
      setChoosing(false);
      session.setWindow(region);
    },
  }));

  useTold(view, { theme, color, reducedMotion, withMarginals, choosing, cursor });

  const readout = useReadout(cursor, hover);

  const moveWindow = useCallback(
    (cell: Cell) => {
      if (!summary) return;
      const size: Pick<Region, 'rows' | 'cols'> = window_ ?? { rows: 5, cols: 32 };
      session.setWindow(fitWindow({ row: cell.row, col: cell.col, rows: size.rows, cols: size.cols }, summary));
    },
    [session, summary, window_],
  );

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!summary || event.altKey) return;
    const from = cursor ?? { row: window_?.row ?? 0, col: window_?.col ?? 0 };
    const page = Math.max(1, Math.floor((state?.region.rows ?? 10) * 0.8));
    const next = cursor === null && event.key.startsWith('Arrow') ? from : movedCursor(from, event, summary, page);
    const plain = !event.ctrlKey && !event.metaKey;
    if (next) setCursor(next);
    else if (event.key === 'Enter' && cursor && plain) moveWindow(cursor);
    else if (event.key === 'Escape' && (cursor || choosing)) {
      setCursor(null);
      setChoosing(false);
    } else if ((event.key === '+' || event.key === '=') && plain) view?.zoomIn();
    else if (event.key === '-' && plain) view?.zoomOut();
    else if ((event.key === '0' || event.key === 'f' || event.key === 'F') && plain) view?.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="matrix-view">
      {/* The arrow keys walk the cells, and the line below says where. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a composite widget of its own */}
      <div
        ref={container}
        className="spy-view"
        role="application"
        aria-label="Matrix cells"
        aria-roledescription="matrix"
        aria-describedby="matrix-readout"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard has to reach the cells
        tabIndex={0}
        data-choosing={choosing || undefined}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(null)}
      />
      <Tools
        {...{ view, state, choosing, withMarginals }}
        onMarginals={() => setWithMarginals(!withMarginals)}
        onChoose={() => setChoosing(!choosing)}
      />
      <p id="matrix-readout" className="matrix-readout" aria-live={cursor ? 'polite' : 'off'}>
        {readout ?? (choosing ? 'drag over the matrix, at most 64 × 64' : (note ?? windowText(window_)))}
      </p>
    </div>
  );
}

interface Told {
  readonly theme: Theme;
  /** of the format on the stage */
  readonly color: string;
  readonly reducedMotion: boolean;
  readonly withMarginals: boolean;
  readonly choosing: boolean;
  readonly cursor: Cell | null;
}

/** Tells the view whatever changes after it was made. */
function useTold(view: SpyView | null, told: Told): void {
  const { theme, color, reducedMotion, withMarginals, choosing, cursor } = told;
  const summary = useSession((s) => s.summary);
  const marginals = useSession((s) => s.marginals);
  const window_ = useDocument((doc) => doc.window);
  useEffect(() => {
    view?.setMatrix(summary);
  }, [view, summary]);
  useEffect(() => {
    view?.setMarginals(withMarginals ? marginals : null);
  }, [view, marginals, withMarginals, summary]);
  useEffect(() => {
    view?.setWindow(window_);
  }, [view, window_, summary]);
  useEffect(() => {
    view?.setTheme(theme, color);
  }, [view, theme, color]);
  useEffect(() => {
    view?.setReducedMotion(reducedMotion);
  }, [view, reducedMotion]);
  useEffect(() => {
    view?.setMode(choosing ? 'choose-window' : 'pan');
  }, [view, choosing]);
  useEffect(() => {
    view?.setCursor(cursor);
  }, [view, cursor]);
  useEffect(() => {
    const label = summary
      ? `Matrix of ${shape(summary.rows, summary.cols)}, ${percent(summary.density)} non-zero. ${HOVER_HELP}`
      : 'No matrix yet';
    view?.canvas.setAttribute('aria-label', label);
  }, [view, summary]);
}

interface ToolsProps {
  readonly view: SpyView | null;
  readonly state: SpyViewState | null;
  readonly choosing: boolean;
  readonly withMarginals: boolean;
  readonly onMarginals: () => void;
  readonly onChoose: () => void;
}

/** Zoom, marginals, and the window. */
function Tools({ view, state, choosing, withMarginals, onMarginals, onChoose }: ToolsProps) {
  const summary = useSession((s) => s.summary);
  return (
    <div className="matrix-tools" role="toolbar" aria-label="View of the matrix">
      <ToolButton icon="plus" label="Zoom in" disabled={!state?.canZoomIn} onClick={() => view?.zoomIn()} />
      <ToolButton icon="minus" label="Zoom out" disabled={!state?.canZoomOut} onClick={() => view?.zoomOut()} />
      <ToolButton icon="fit" label="Fit the whole matrix" disabled={!summary} onClick={() => view?.fit()} />
      <span className="gap" />
      <ToolButton
        icon="marginals"
        label="Density by rows and columns"
        pressed={withMarginals}
        disabled={!summary}
        onClick={onMarginals}
      />
      <ToolButton
        icon="window"
        label="Choose the window of the animation"
        pressed={choosing}
        disabled={!summary}
        onClick={onChoose}
      />
    </div>
  );
}

function windowText(window_: Region | null): string {
  if (!window_) return ' ';
  return `window ${window_.rows} × ${window_.cols} at row ${window_.row}, col ${window_.col}`;
}

interface ToolButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly disabled: boolean;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

function ToolButton({ icon, label, disabled, pressed, onClick }: ToolButtonProps) {
  return (
    <button
      type="button"
      className="button button--icon button--bare"
      aria-label={label}
      title={label}
      disabled={disabled}
      aria-pressed={pressed}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** The cell at the cursor, or else under the pointer, in words. */
function useReadout(cursor: Cell | null, hover: SpyHover | null): string | null {
  const { session } = useApp();
  const [cell, setCell] = useState<{ readonly at: Cell; readonly value: number } | null>(null);
  useEffect(() => {
    if (!cursor) return;
    let current = true;
    void session.cells({ row: cursor.row, col: cursor.col, rows: 1, cols: 1 }).then((cells) => {
      if (current && cells) setCell({ at: cursor, value: cells.data[0] ?? 0 });
    });
    return () => {
      current = false;
    };
  }, [session, cursor]);

  if (cursor) {
    const known = cell && cell.at.row === cursor.row && cell.at.col === cursor.col;
    return `row ${cursor.row}, col ${cursor.col}: ${known ? cellText(cell.value) : '…'}`;
  }
  if (!hover) return null;
  if (hover.kind === 'cells') return `row ${hover.row}, col ${hover.col}: ${cellText(hover.value)}`;
  const { row, col, rows, cols } = hover.region;
  return `rows ${row}–${row + rows - 1}, cols ${col}–${col + cols - 1}: ${percent(hover.value)}`;
}

function cellText(v: number): string {
  return v === 0 ? 'not stored' : value(v);
}
