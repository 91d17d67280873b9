import { box } from '../../../core/story/marks.ts';
import { cellName, magnitudeLevels, pageStart, ticks } from '../../../core/story/scene-parts.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import { counted, valueText } from '../../../core/story/words.ts';
import { activationsPanel, type Picture, ROWS_SHOWN } from './scene-activations.ts';
import { rowLength, type TwellStep, type TwellTrace } from './trace.ts';

type Step = Extract<TwellStep, { kind: 'route' | 'routed' | 'transpose' }>;

/** Rows of the tail in view. */
const TAIL_SHOWN = 5;

/** Chapter 6: tokens by their count in the compact part or in the tail; and the transpose. */
export function hybridScene(t: TwellTrace, step: Step): Picture {
  const row = step.kind === 'route' ? step.row : Math.max(0, t.window.rows - 1);
  const { column } = t.routing.longestColumn;
  const panels: Panel[] = [
    activationsPanel(t, { row, tile: null, whole: step.kind !== 'route' }, (_, c) =>
      step.kind === 'transpose' ? { focus: c === column } : {},
    ),
  ];
  if (step.kind === 'transpose') panels.push(transposePanel(t));
  else panels.push(compactPanel(t, row, step.kind === 'route'), tailPanel(t, row, step.kind === 'route'));
  return { panels, links: [] };
}

/** Rows with few non-zeros, in their slots; the slots of a long row stay empty. Panel id 'compact'. */
function compactPanel({ window, routing: { slots, counts } }: TwellTrace, row: number, isRouting: boolean): Panel {
  const shown = Math.min(window.rows, ROWS_SHOWN);
  const top = pageStart(window.rows, row, shown);
  const width = Math.min(slots, window.cols);
  const levelOf = magnitudeLevels(window);
  const marks: Mark[] = [];
  for (let r = top; r < top + shown; r++) {
    for (let slot = 0; slot < width; slot++) {
      const base = box(`compact ${r},${slot}`, slot, r - top);
      const at = window.indptr[r] + slot;
      if (r > row) marks.push({ ...base, tone: 'neutral', state: 'ghost', label: `token ${r}: not routed yet` });
      else if (counts[r] > slots || slot >= counts[r]) {
        marks.push({
          ...base,
          tone: 'padding',
          label: `token ${r}, slot ${slot}: ${counts[r] > slots ? 'in the tail' : 'empty'}`,
        });
      } else {
        const name = cellName(r, window.indices[at]);
        marks.push({
          ...base,
          tone: 'values',
          level: levelOf(window.data[at]),
          label: `token ${r}, column ${window.indices[at]}: ${valueText(window.data[at])}`,
          about: [name],
          from: name,
          ...(isRouting && r === row ? { focus: true } : {}),
        });
      }
    }
  }
  return {
    id: 'compact',
    title: 'compact part',
    caption: `${counted(width, 'slot')} per token`,
    unit: 'cell',
    columns: Math.max(1, width),
    rows: Math.max(1, shown),
    band: 10,
    rowLabels: ticks(top, top + shown),
    marks,
  };
}

/** Long rows with all their cells. Panel id 'tail'. */
function tailPanel({ window, routing: { tail } }: TwellTrace, row: number, isRouting: boolean): Panel {
  const routed = tail.filter((r) => r <= row);
  const shown = Math.min(tail.length, TAIL_SHOWN);
  const top = pageStart(tail.length, Math.max(0, routed.length - 1), shown);
  const levelOf = magnitudeLevels(window);
  const marks: Mark[] = [];
  tail.slice(top, top + shown).forEach((r, y) => {
    if (r > row) {
      marks.push(box(`tail row ${r}`, 0, y, { w: window.cols, state: 'ghost', label: `tail row ${top + y}: free` }));
      return;
    }
    for (let i = window.indptr[r]; i < window.indptr[r] + rowLength(window, r); i++) {
      const column = window.indices[i];
      const name = cellName(r, column);
      marks.push(
        box(`tail ${r},${column}`, column, y, {
          tone: 'values',
          level: levelOf(window.data[i]),
          label: `tail, token ${r}, column ${column}: ${valueText(window.data[i])}`,
          about: [name],
          from: name,
          ...(isRouting && r === row ? { focus: true } : {}),
        }),
      );
    }
  });
  return {
    id: 'tail',
    title: 'dense tail',
    caption: tail.length === 0 ? 'not needed here' : 'every cell of the long tokens',
    unit: 'cell',
    columns: Math.max(1, window.cols),
    rows: Math.max(1, shown),
    band: 10,
    grid: { rows: Math.max(1, shown) },
    rowLabels: tail.slice(top, top + shown).map((r, y) => ({ at: y, text: String(r) })),
    marks,
  };
}

/** Neurons as rows: how many tokens fire each. Panel id 'transpose'. */
function transposePanel({ window, routing: { slots, longestColumn } }: TwellTrace): Panel {
  const shown = Math.min(window.cols, ROWS_SHOWN);
  const top = pageStart(window.cols, longestColumn.column, shown);
  const marks: Mark[] = [];
  const filled = new Uint32Array(window.cols);
  for (let r = 0; r < window.rows; r++) {
    for (let i = window.indptr[r]; i < window.indptr[r + 1]; i++) {
      const column = window.indices[i];
      const slot = filled[column]++;
      if (column < top || column >= top + shown) continue;
      const name = cellName(r, column);
      const isLongest = column === longestColumn.column;
      marks.push(
        box(`transposed ${column},${slot}`, slot, column - top, {
          tone: slot < slots ? 'values' : 'format',
          level: 1,
          label: `neuron ${column}, token ${r}${slot < slots ? '' : ': beyond the slots'}`,
          about: [name],
          from: name,
          ...(isLongest ? { focus: true } : {}),
        }),
      );
    }
  }
  return {
    id: 'transpose',
    title: 'transpose',
    caption: `neurons as rows; ${counted(slots, 'slot')} each`,
    unit: 'cell',
    columns: Math.max(slots, longestColumn.count, 1),
    rows: Math.max(1, shown),
    columnLabels: ticks(0, Math.max(slots, longestColumn.count, 1)),
    rowLabels: ticks(top, top + shown),
    marks,
  };
}
