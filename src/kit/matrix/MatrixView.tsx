import { SparseScopeError } from '../../core/errors.ts';
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import type { Cell, Region } from '../../core/matrix/index.ts';
import {
  type SpyView,
  type SpyHover,
  type SpyMarginals,
  type SpyMatrix,
  type SpyViewOptions,
  type SpyViewState,
  type TileProvider,
  formatColor,
  type Theme,
} from '../../render/index.ts';
import { shortenedText, FIRST_REGION } from '../../core/cut.ts';
import { fitWindow, MAX_WINDOW_SIDE } from '../../state/index.ts';
import { useApp, useDocument, useSession } from '../app-context.ts';
import { Icon, type IconName } from '../controls/Icon.tsx';
import { percent, shape as shapeText, value } from '../words/quantity.ts';
import { densityText } from '../words/shares.ts';
import { useLatest } from '../browser/use-latest.ts';
import { useMedia } from '../browser/use-media.ts';
import { useShell } from '../frame/shell-context.ts';
import { Button } from '../controls/Button.tsx';
import { whileMounted } from '../browser/while-mounted.ts';
import type { Shape } from '../../core/format.ts';

const KEY_HELP = 'Arrow keys move, + and − zoom, Enter moves the region here.';

/** The screen reader's text for the picture of a matrix, whose share `density` is not 0. */
export function matrixLabel({ rows, cols }: Shape, density: number): string {
  return `Matrix of ${shapeText(rows, cols)}, ${densityText(density)} non-zero. ${KEY_HELP}`;
}

/** A matrix to view: its shape, and functions that read the parts of it that are in view. */
export interface ViewedMatrix {
  readonly shape: SpyMatrix;
  /** share of cells that are not 0 */
  readonly density: number;
  readonly marginals: SpyMarginals | null;
  /** the region of the matrix that the story shows; null: none */
  readonly window: Region | null;
  readonly onWindow: (window: Region) => void;
  readonly tile: TileProvider;
  /** the value of a cell; null if it cannot be read */
  readonly valueAt: (row: number, col: number) => Promise<number | null>;
}

/** The open matrix for the viewer; null without one. */
export function useOpenMatrix(): ViewedMatrix | null {
  const { session } = useApp();
  const summary = useSession((s) => s.summary);
  const marginals = useSession((s) => s.marginals);
  const window = useDocument((doc) => doc.window);
  return useMemo(
    () =>
      summary && {
        shape: summary,
        density: summary.density,
        marginals,
        window,
        onWindow: session.setWindow,
        tile: async (request) => {
          const tile = await session.spy(request);
          if (!tile) throw new SparseScopeError('The matrix has changed.');
          return tile;
        },
        valueAt: async (row, col) => {
          const cells = await session.cells({ row, col, rows: 1, cols: 1 });
          return cells && (cells.data[0] ?? 0);
        },
      },
    [session, summary, marginals, window],
  );
}

/** The spy plot with its tools, keyboard navigation, and a line about the cell under the pointer or cursor. */
export function MatrixView({ matrix }: { readonly matrix: ViewedMatrix }) {
  const { theme } = useShell();
  const { shape } = matrix;
  const format = useDocument((doc) => doc.format);
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  const id = useId();
  // The view outlives this render, and may request a matrix that has arrived since.
  const latest = useLatest(matrix);

  const container = useRef<HTMLDivElement>(null);
  const [hover, setHover] = useState<SpyHover | null>(null);
  // A cursor does not carry over to another matrix.
  const [cursorIn, setCursorIn] = useState<{ readonly shape: SpyMatrix; readonly cell: Cell } | null>(null);
  const cursor = cursorIn?.shape === shape ? cursorIn.cell : null;
  const setCursor = (cell: Cell | null): void => setCursorIn(cell && { shape, cell });
  const [viewState, setViewState] = useState<SpyViewState | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const [choosing, setChoosing] = useState(false);
  const color = formatColor(theme, format);
  const view = useSpyView(container, () => ({
    theme,
    formatColor: color,
    reducedMotion,
    maxWindow: { rows: MAX_WINDOW_SIDE, cols: MAX_WINDOW_SIDE },
    provider: (request) => latest.current.tile(request),
    onHover: setHover,
    onView: setViewState,
    onNote: setNote,
    onPickWindow: (region) => {
      setChoosing(false);
      latest.current.onWindow(region);
    },
  }));

  useViewSettings(view, { matrix, theme, color, reducedMotion, choosing, cursor });
  const readout = useReadout(matrix, cursor, hover);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey) return;
    const { window } = matrix;
    const from = cursor ?? { row: window?.row ?? 0, col: window?.col ?? 0 };
    const page = Math.max(1, Math.floor((viewState?.region.rows ?? 10) * 0.8));
    const next = cursor === null && event.key.startsWith('Arrow') ? from : movedCursor(from, event, shape, page);
    const hasNoModifier = !event.ctrlKey && !event.metaKey;
    if (next) setCursor(next);
    else if (event.key === 'Enter' && cursor && hasNoModifier)
      matrix.onWindow(fitWindow({ ...(window ?? FIRST_REGION), ...cursor }, shape));
    else if (event.key === 'Escape' && (cursor || choosing)) {
      setCursor(null);
      setChoosing(false);
    } else if ((event.key === '+' || event.key === '=') && hasNoModifier) view?.zoomIn();
    else if (event.key === '-' && hasNoModifier) view?.zoomOut();
    else if ((event.key === '0' || event.key === 'f' || event.key === 'F') && hasNoModifier) view?.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="relative">
      {/* The arrow keys move a cursor from cell to cell, and the line below names its cell. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a composite widget of its own */}
      <div
        ref={container}
        className="spy-view w-full aspect-[2.1]"
        role="application"
        aria-label="Matrix cells"
        aria-roledescription="matrix"
        aria-describedby={id}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard has to reach the cells
        tabIndex={0}
        data-choosing={choosing || undefined}
        onKeyDown={onKeyDown}
        onBlur={() => setCursor(null)}
      />
      <div className="matrix-tools flex items-center gap-0.5 mt-1 -mx-2" role="toolbar" aria-label="View of the matrix">
        <ToolButton icon="plus" label="Zoom in" disabled={!viewState?.canZoomIn} onClick={() => view?.zoomIn()} />
        <ToolButton icon="minus" label="Zoom out" disabled={!viewState?.canZoomOut} onClick={() => view?.zoomOut()} />
        <ToolButton icon="fit" label="Fit the whole matrix" onClick={() => view?.fit()} />
        <span className="flex-1" />
        <ToolButton icon="window" label="Choose the region" pressed={choosing} onClick={() => setChoosing(!choosing)} />
      </div>
      <p
        id={id}
        className="matrix-readout tabular-nums text-muted text-12 mt-1 min-h-[1.2rem]"
        aria-live={cursor ? 'polite' : 'off'}
      >
        {readout ??
          (choosing ? 'drag, at most 64 × 64' : (note ?? (matrix.window ? shortenedText(matrix.window) : ' ')))}
      </p>
    </div>
  );
}

interface ViewSettings {
  readonly matrix: ViewedMatrix;
  readonly theme: Theme;
  /** the current format's colour */
  readonly color: string;
  readonly reducedMotion: boolean;
  readonly choosing: boolean;
  readonly cursor: Cell | null;
}

/** Passes every change of these settings to the view. */
function useViewSettings(view: SpyView | null, settings: ViewSettings): void {
  const { matrix, theme, color, reducedMotion, choosing, cursor } = settings;
  const { shape, marginals, window, density } = matrix;
  useEffect(() => {
    view?.setMatrix(shape);
  }, [view, shape]);
  useEffect(() => {
    view?.setMarginals(marginals);
  }, [view, marginals, shape]);
  useEffect(() => {
    view?.setWindow(window);
  }, [view, window, shape]);
  useEffect(() => {
    view?.setTheme(theme, color);
  }, [view, theme, color]);
  useEffect(() => {
    view?.setReducedMotion(reducedMotion);
  }, [view, reducedMotion]);
  useEffect(() => {
    view?.setChoosing(choosing);
  }, [view, choosing]);
  useEffect(() => {
    view?.setCursor(cursor);
  }, [view, cursor]);
  useEffect(() => {
    view?.canvas.setAttribute('aria-label', matrixLabel(shape, density));
  }, [view, shape, density]);
}

interface ToolButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

function ToolButton({ icon, label, disabled, pressed, onClick }: ToolButtonProps) {
  return (
    <Button
      kind="bare"
      className="w-7 min-h-7 aria-pressed:bg-track aria-pressed:text-ink"
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      {...{ disabled, onClick }}
    >
      <Icon name={icon} />
    </Button>
  );
}

/** The cell at the cursor, or else under the pointer, in words. */
function useReadout({ valueAt }: ViewedMatrix, cursor: Cell | null, hover: SpyHover | null): string | null {
  const [cell, setCell] = useState<{ readonly at: Cell; readonly value: number } | null>(null);
  const read = useEffectEvent(({ row, col }: Cell) => valueAt(row, col));
  useEffect(() => {
    if (!cursor) return undefined;
    return whileMounted(read(cursor), (v) => v !== null && setCell({ at: cursor, value: v }));
  }, [cursor]);

  if (cursor) {
    const isRead = cell && cell.at.row === cursor.row && cell.at.col === cursor.col;
    return `row ${cursor.row}, col ${cursor.col}: ${isRead ? cellText(cell.value) : '…'}`;
  }
  if (!hover) return null;
  if (hover.kind === 'cells') return `row ${hover.row}, col ${hover.col}: ${cellText(hover.value)}`;
  const { row, col, rows, cols } = hover.region;
  return `rows ${row}–${row + rows - 1}, cols ${col}–${col + cols - 1}: ${percent(hover.value)}`;
}

function cellText(v: number): string {
  return v === 0 ? 'not stored' : value(v);
}

/** A spy view inside the container; null until its code has loaded. `options` are read once, when it is created. */
function useSpyView(container: RefObject<HTMLElement | null>, options: () => SpyViewOptions): SpyView | null {
  const [view, setView] = useState<SpyView | null>(null);
  const current = useEffectEvent(options);
  useEffect(() => {
    let created: SpyView | null = null;
    const leave = whileMounted(import('../../render/spy/spy-view.ts'), (module) => {
      if (!container.current) return;
      created = new module.SpyView(container.current, current());
      setView(created);
    });
    return () => {
      leave();
      created?.dispose();
      setView(null);
    };
  }, [container]);
  return view;
}

/** Cells that an arrow key moves with Shift. */
const STRIDE = 10;

/** The part of a keyboard event that moves the cursor. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/**
 * The cell of a matrix after a key; null if the key does not move the cursor. Arrow keys move by a cell, with Shift by
 * ten, page keys by `page` rows; Home and End lead to the ends of the row, with Ctrl or Cmd to the matrix's ends.
 */
export function movedCursor({ row, col }: Cell, press: KeyPress, shape: Shape, page: number): Cell | null {
  const step = press.shiftKey ? STRIDE : 1;
  const isWhole = press.ctrlKey || press.metaKey;
  const [lastRow, lastCol] = [shape.rows - 1, shape.cols - 1];
  const moves: Readonly<Record<string, readonly [row: number, col: number]>> = {
    ArrowUp: [row - step, col],
    ArrowDown: [row + step, col],
    ArrowLeft: [row, col - step],
    ArrowRight: [row, col + step],
    PageUp: [row - page, col],
    PageDown: [row + page, col],
    Home: [isWhole ? 0 : row, 0],
    End: [isWhole ? lastRow : row, lastCol],
  };
  if (!Object.hasOwn(moves, press.key)) return null;
  const [toRow, toCol] = moves[press.key];
  return { row: Math.min(lastRow, Math.max(0, toRow)), col: Math.min(lastCol, Math.max(0, toCol)) };
}
