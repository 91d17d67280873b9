import { useEffect, useId, useState } from 'react';
import type { Region } from '../../core/matrix/index.ts';
import { type ViewedMatrix, MatrixView } from '../../kit/matrix/MatrixView.tsx';
import { MAX_WINDOW_SIDE } from '../../state/index.ts';
import { shadePaths } from '../../kit/matrix/shade-paths.ts';
import { whileMounted } from '../../kit/browser/while-mounted.ts';

/** The column 'Region': the matrix, a frame around its window (the cells that the animation shows), and these cells. */
export function WindowColumn({ matrix }: { readonly matrix: ViewedMatrix }) {
  const { window, shape, onWindow } = matrix;
  const setSpan = (text: string, extent: number, withSpan: (from: number, count: number) => Region): string | null => {
    const span = readSpan(text, extent, MAX_WINDOW_SIDE);
    if (typeof span === 'string') return span;
    onWindow(withSpan(span.from, span.count));
    return null;
  };
  return (
    <div>
      <MatrixView matrix={matrix} />
      {window ? (
        <>
          <WindowCells matrix={matrix} window={window} />
          <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-y-2 gap-x-3 mt-3 mb-2">
            <SpanField
              label="rows"
              text={spanText({ from: window.row, count: window.rows })}
              onText={(text) => setSpan(text, shape.rows, (row, rows) => ({ ...window, row, rows }))}
            />
            <SpanField
              label="columns"
              text={spanText({ from: window.col, count: window.cols })}
              onText={(text) => setSpan(text, shape.cols, (col, cols) => ({ ...window, col, cols }))}
            />
          </div>
          <p className="text-quiet">Drag; + and − zoom.</p>
        </>
      ) : (
        <p className="text-quiet">Drag to choose a region.</p>
      )}
    </div>
  );
}

interface SpanFieldProps {
  readonly label: string;
  readonly text: string;
  /** Returns the error, or null if the text is valid. */
  readonly onText: (text: string) => string | null;
}

/** A field for the rows or the columns of the window, read on Enter and when it loses the focus. */
function SpanField({ label, text, onText }: SpanFieldProps) {
  const id = useId();
  const [typedSpan, setTypedSpan] = useState<{ readonly before: string; readonly text: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // A window that changes from outside replaces what was typed.
  const visibleText = typedSpan?.before === text ? typedSpan.text : text;
  const commit = (): void => {
    if (visibleText === text) return setProblem(null);
    setProblem(onText(visibleText));
  };
  return (
    <div className="grid grid-cols-[3.25rem_1fr] items-center gap-y-1 gap-x-2 text-muted">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="input px-2"
        autoComplete="off"
        spellCheck={false}
        value={visibleText}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => setTypedSpan({ before: text, text: event.currentTarget.value })}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
      />
      {problem !== null && (
        <p id={`${id}-problem`} className="field-error col-span-full" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** The window whose cells are drawn: an earlier window until the cells of the new window are read. */
interface DrawnWindow {
  readonly window: Region;
  /** row by row */
  readonly values: Float32Array;
}

/** The cells of the window, darker the larger their magnitude. */
function WindowCells({ matrix, window }: { readonly matrix: ViewedMatrix; readonly window: Region }) {
  const [drawnWindow, setDrawnWindow] = useState<DrawnWindow | null>(null);
  const { tile, shape } = matrix;
  const { row, col, rows, cols } = window;
  useEffect(() => {
    const region = { row, col, rows, cols };
    // Reading the cells fails only if another matrix has been opened, whose cells are then drawn.
    return whileMounted(tile({ region, width: cols, height: rows }), ({ kind, buckets }) => {
      if (kind === 'cells') setDrawnWindow({ window: region, values: buckets });
    });
  }, [tile, row, col, rows, cols]);
  if (drawnWindow === null) return <div className="h-16 mt-2" />;
  const { window: region, values } = drawnWindow;
  const shades = Array.from(values, (value) =>
    value === 0 || shape.absMax === 0 ? 0 : 3 + Math.round(12 * Math.sqrt(Math.min(1, Math.abs(value) / shape.absMax))),
  );
  return (
    <svg
      className="w-full h-16 mt-2 fill-values [shape-rendering:crispEdges]"
      viewBox={`0 0 ${region.cols} ${region.rows}`}
      aria-hidden="true"
    >
      <rect width={region.cols} height={region.rows} className="fill-cell" />
      {shadePaths(region.cols, region.rows, (i) => shades[i]).map(({ shade, path }) => (
        <path key={shade} d={path} fillOpacity={shade / 15} />
      ))}
    </svg>
  );
}

/** Consecutive rows or columns. */
interface Span {
  readonly from: number;
  readonly count: number;
}

/** A span as the field shows it: '0 to 4', or '7' for a single row or column. */
export function spanText({ from, count }: Span): string {
  return count === 1 ? String(from) : `${from} to ${from + count - 1}`;
}

/** Reads the text of a field. Returns an error message unless it is a span of at most `max` within `extent`. */
export function readSpan(text: string, extent: number, max: number): Span | string {
  const match = /^\s*(\d{1,9})\s*(?:(?:to|-|–|\s)\s*(\d{1,9})\s*)?$/.exec(text);
  const expected = `expected numbers from 0 to ${extent - 1}, such as ${spanText({ from: 0, count: Math.min(5, extent) })}`;
  const typedText = text.trim() === '' ? 'nothing' : text.trim().slice(0, 40);
  if (!match) return `Found ${typedText}, ${expected}.`;
  const from = Number(match[1]);
  const to = Number(match[2] ?? match[1]);
  if (to < from || to >= extent) return `Found ${typedText}, ${expected}.`;
  const count = to - from + 1;
  return count > max ? `Found ${count}, expected at most ${max}.` : { from, count };
}
