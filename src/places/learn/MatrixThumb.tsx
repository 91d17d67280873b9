import { useMemo } from 'react';
import { figureDocument, figureWindow } from '../../lessons/figure.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import { isPlaceAddress } from '../../lessons/trials/index.ts';
import { useApp } from '../../kit/app-context.ts';

const WIDTH = 96;

/** Columns drawn at most: more would be too small to see. */
const MAX_COLUMNS = 16;

/** A thumbnail of a lesson's first matrix. */
export function MatrixThumb({ lesson }: { readonly lesson: Lesson }) {
  const { catalog } = useApp();
  const window = useMemo(() => {
    const address = lesson.blocks.map(({ figure }) => figure.address).find((one) => !isPlaceAddress(one));
    return address === undefined ? null : figureWindow(figureDocument(address, catalog));
  }, [lesson, catalog]);
  if (!window) return <span className="learn-thumb" />;
  const { rows, indptr, indices, data } = window;
  const cols = Math.min(window.cols, MAX_COLUMNS);
  const max = data.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const cells = Array.from({ length: rows * cols }, (_, i) => ({ row: Math.floor(i / cols), col: i % cols, at: i }));
  const levels = new Map<number, number>();
  for (let row = 0; row < rows; row++) {
    for (let i = indptr[row]; i < indptr[row + 1]; i++) {
      if (indices[i] < cols) levels.set(row * cols + indices[i], Math.abs(data[i]) / max);
    }
  }
  return (
    <svg
      className="learn-thumb"
      viewBox={`0 0 ${cols} ${rows}`}
      width={WIDTH}
      height={(WIDTH * rows) / cols}
      aria-hidden="true"
    >
      {cells.map(({ row, col, at }) => (
        <rect
          key={at}
          x={col + 0.08}
          y={row + 0.08}
          width={0.84}
          height={0.84}
          rx={0.12}
          fill={levels.has(at) ? 'var(--values)' : 'var(--cell)'}
          opacity={levels.has(at) ? 0.35 + 0.65 * (levels.get(at) ?? 0) : 1}
        />
      ))}
    </svg>
  );
}
