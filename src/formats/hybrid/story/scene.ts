import { bf16Value } from '../../../core/number/index.ts';
import { cellName, matrixPanel, memoryPanels, rowFrame, slotPanel } from '../../../core/story/scene-parts.ts';
import { vectorPanels } from '../../../core/story/scene-vectors.ts';
import type { Link, Panel, Scene } from '../../../core/story/scene.ts';
import { codeOf } from './code.ts';
import { NONE } from '../layout.ts';
import { narrate } from './narration.ts';
import { compactPanel, nowId, nowPanel, type Progress, slotsShown, tailPanel } from './scene-rows.ts';
import type { HybridStep, HybridTrace } from './trace.ts';

const ROWS_SHOWN = 8;

/** The state at a step. */
interface State extends Progress {
  readonly step: HybridStep | null;
  readonly multiplying: boolean;
}

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: HybridTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const state = stateAt(t, step);
  const panels = [
    {
      ...matrixPanel(t.window, {
        row: state.row,
        rowsShown: ROWS_SHOWN,
        overlay: state.isAboutRow ? rowFrame(t.window, state.row).map((mark) => ({ ...mark, focus: true })) : [],
      }),
      title: 'activations',
    },
    ...(step?.kind === 'route' ? [nowPanel(t, state)] : []),
    compactPanel(t, state),
    ...(t.encoded.tailCapacity > 0 ? [tailPanel(t, state)] : []),
    ...vectors(t, state),
    mapPanel(t, state),
    ...memory(t, state),
  ];
  const drawn = new Set(panels.flatMap((panel) => panel.marks.map((mark) => mark.id)));
  return {
    panels,
    links: links(t, state).filter((link) => drawn.has(link.from) && drawn.has(link.to)),
    narration: narrate(t, step),
    code: codeOf(t, step),
  };
}

function stateAt({ encoded: { rows } }: HybridTrace, step: HybridStep | null): State {
  const last = Math.max(0, rows - 1);
  const whole = { step, isAboutRow: false, isDetail: false, multiplying: false };
  switch (step?.kind) {
    case undefined:
    case 'room':
      return { ...whole, row: 0, rows: 0 };
    case 'route':
      return { ...whole, isAboutRow: true, isDetail: true, row: step.row, rows: step.row + 1 };
    case 'stored':
      return { ...whole, row: last, rows };
    case 'row':
      return { ...whole, isAboutRow: true, isDetail: true, row: step.row, rows, multiplying: true };
    case 'multiplied':
      return { ...whole, isDetail: true, row: last, rows, multiplying: true };
  }
}

/** Count and part of every row. Panel id 'map'. */
function mapPanel({ encoded: { rows, counts, tailMap } }: HybridTrace, state: State): Panel {
  const look = (r: number): { focus?: true } => (state.isAboutRow && r === state.row ? { focus: true } : {});
  const present = (r: number): boolean => r < state.rows;
  return slotPanel({
    id: 'map',
    focus: state.row,
    lines: [
      { array: 'counts', length: rows, tone: 'metadata', text: (r) => String(counts[r]), present, look },
      {
        array: 'tailMap',
        length: rows,
        tone: 'metadata',
        text: (r) => (tailMap[r] === NONE ? '–' : String(tailMap[r])),
        present,
        look,
      },
    ],
  });
}

/** x and y, once they are needed. */
function vectors(t: HybridTrace, { step, multiplying, row }: State): readonly Panel[] {
  if (!multiplying) return [];
  const { rows, cols, indptr, indices } = t.window;
  const isRow = step?.kind === 'row';
  const isDense = isRow && t.encoded.tailMap[row] !== NONE;
  const reads = !isRow
    ? []
    : isDense
      ? Array.from({ length: cols }, (_, c) => c)
      : Array.from(indices.subarray(indptr[row], indptr[row + 1]));
  return vectorPanels({ x: t.x, reads, y: (r) => (r <= row ? t.sums[r] : null), rows, writes: isRow ? [row] : [] });
}

function memory({ encoded: e }: HybridTrace, state: State): readonly Panel[] {
  const isUsed = (at: number): boolean => {
    const r = Math.floor(at / e.slots);
    return e.tailMap[r] === NONE && at - r * e.slots < e.counts[r];
  };
  const present = (at: number): boolean => Math.floor(at / e.slots) < state.rows;
  const place = e.tailMap[state.row] ?? NONE;
  const tailFocus = place === NONE ? 0 : place * e.cols;
  const focus = state.row * e.slots;
  const isStored = (at: number): boolean => {
    const r = e.tailRows[Math.floor(at / e.cols)];
    return r !== NONE && r < state.rows;
  };
  return memoryPanels([
    { array: 'values', data: e.values, tone: (i) => (isUsed(i) ? 'values' : 'padding'), present, focus },
    { array: 'indices', data: e.indices, tone: (i) => (isUsed(i) ? 'indices' : 'padding'), present, focus },
    ...(e.tail.length > 0
      ? [
          {
            array: 'tail',
            data: e.tail,
            tone: (i: number) => (bf16Value(e.tail[i]) === 0 ? ('padding' as const) : ('values' as const)),
            present: isStored,
            focus: tailFocus,
          },
        ]
      : []),
  ]);
}

/** The non-zeros of the row on their way to its slots; for the tail, where all go straight down, the first. */
function links(t: HybridTrace, { step }: State): readonly Link[] {
  if (step?.kind !== 'route') return [];
  const { window, encoded: e } = t;
  const { row } = step;
  const first = window.indptr[row];
  const drawn = Math.min(e.counts[row], e.tailMap[row] === NONE ? slotsShown(t) : 1);
  return Array.from(window.indices.subarray(first, first + drawn), (column, i) => ({
    id: `store ${i}`,
    from: cellName(row, column),
    to: nowId(e, row, i, column),
    kind: 'curve',
    tone: 'neutral',
  }));
}
