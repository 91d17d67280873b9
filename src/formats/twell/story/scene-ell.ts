import { box } from '../../../core/story/marks.ts';
import { cellName, magnitudeLevels, pageStart, ticks } from '../../../core/story/scene-parts.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { countText, counted, valueText } from '../../../core/story/words.ts';
import { barsPanel } from '../../../core/story/bars-panel.ts';
import { activationsPanel, type Picture, ROWS_SHOWN } from './scene-activations.ts';
import { rowLength, type TwellStep, type TwellTrace } from './trace.ts';

type About = Extract<TwellStep, { kind: 'ell' }>['about'];

/** Chapter 1: rows pushed to the left as a whole. In the initial state, the window alone. */
export function ellScene(t: TwellTrace, about: About | null): Picture {
  const place = { row: 0, tile: about === 'row' ? Math.min(1, t.encoded.tiles - 1) : null };
  const panels: Panel[] = [activationsPanel(t, place)];
  if (about === 'row' || about === 'width') panels.push(ellPanel(t, about));
  if (about === 'passes') panels.push(passesPanel(t));
  return { panels, links: [] };
}

/**
 * ELL: first, everything after tile 0 has no slot yet; then all have one, and short rows are padded. Panel id 'ell'.
 */
function ellPanel({ window, params }: TwellTrace, about: 'row' | 'width'): Panel {
  const { rows, indptr, indices, data } = window;
  const shown = Math.min(rows, ROWS_SHOWN);
  const top = pageStart(rows, 0, shown);
  let width = 0;
  for (let r = 0; r < rows; r++) width = Math.max(width, rowLength(window, r));
  const levelOf = magnitudeLevels(window);
  const marks: Mark[] = [];
  for (let r = top; r < top + shown; r++) {
    for (let slot = 0; slot < width; slot++) {
      const base = box(`ell ${r},${slot}`, slot, r - top);
      const at = indptr[r] + slot;
      if (slot >= rowLength(window, r)) {
        if (about === 'width') marks.push({ ...base, tone: 'padding', label: `token ${r}, slot ${slot}: empty` });
        continue;
      }
      const column = indices[at];
      const isKnown = about === 'width' || column < params.tileWidth;
      const label = `token ${r}, slot ${slot}, column ${column}: ${valueText(data[at])}`;
      marks.push(
        isKnown
          ? {
              ...base,
              tone: 'values',
              level: levelOf(data[at]),
              label,
              about: [cellName(r, column)],
              from: cellName(r, column),
            }
          : {
              ...base,
              tone: 'neutral',
              state: 'ghost',
              label: `${label}; not known yet`,
              about: [cellName(r, column)],
            },
      );
    }
  }
  return {
    id: 'ell',
    title: 'ELL',
    caption: about === 'row' ? 'slots after tile 0: not known yet' : `${counted(width, 'slot')} for every row`,
    unit: 'cell',
    columns: Math.max(1, width),
    rows: Math.max(1, shown),
    columnLabels: ticks(0, width),
    rowLabels: ticks(top, top + shown),
    marks,
  };
}

/** Bytes of h that are moved before it is packed. */
function passesPanel({ window, encoded }: TwellTrace): Panel {
  const { rows, cols, nnz } = window;
  const dense = (rows * cols * VALUE_BITS[encoded.valueType]) / 8;
  const bytes = (n: number): string => `${countText(n)} B`;
  return barsPanel({
    id: 'passes',
    title: 'bytes of h that move',
    caption: '4 bytes for every packed entry',
    bars: [
      { id: 'written', label: 'GEMM writes', parts: [{ value: dense, tone: 'neutral' }], words: bytes(dense) },
      { id: 'read', label: 'ELL reads', parts: [{ value: dense, tone: 'neutral' }], words: bytes(dense) },
      {
        id: 'packed entries',
        label: 'ELL writes',
        parts: [{ value: 4 * nnz, tone: 'neutral' }],
        words: bytes(4 * nnz),
      },
      {
        id: 'tiled entries',
        label: 'TwELL writes',
        strong: true,
        parts: [{ value: 4 * nnz, tone: 'format' }],
        words: `${bytes(4 * nnz)}, from the GEMM itself`,
      },
    ],
  });
}
