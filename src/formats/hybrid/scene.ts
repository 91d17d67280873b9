import { bf16Value } from '../../core/number/index.ts';
import {
  cellName,
  curve,
  elementName,
  matrixPanel,
  memoryPanels,
  pageStart,
  rowFrame,
  slotPanel,
} from '../../core/scene-parts.ts';
import { vectorPanels } from '../../core/scene-vectors.ts';
import type { Link, Mark, Panel, Scene } from '../../core/scene.ts';
import { counted, valueText } from '../../core/words.ts';
import { codeOf } from './code.ts';
import { NONE } from './layout.ts';
import { narrate } from './narration.ts';
import type { HybridStep, HybridTrace } from './trace.ts';

const ROWS_SHOWN = 8;
const COMPACT_ROWS_SHOWN = 5;
/** Tail rows and slots of a row in view. */
const TAIL_SHOWN = 4;
const SLOTS_SHOWN = 8;

/** Where a step stands. */
interface State {
  readonly step: HybridStep | null;
  /** the row in the middle of the picture */
  readonly row: number;
  /** rows that are stored */
  readonly rows: number;
  readonly multiplying: boolean;
}

/** The picture after the step with this number; 0 is before anything happened. Pure. */
export function scene(t: HybridTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const state = stateAt(t, step);
  const panels = [
    {
      ...matrixPanel(t.window, {
        row: state.row,
        rowsShown: ROWS_SHOWN,
        overlay: isAboutRow(step) ? rowFrame(t.window, state.row).map((mark) => ({ ...mark, focus: true })) : [],
      }),
      title: 'activations',
    },
    compactPanel(t, state),
    ...(t.encoded.tailCapacity > 0 ? [tailPanel(t, state)] : []),
    mapPanel(t, state),
    ...vectors(t, state),
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
  switch (step?.kind) {
    case undefined:
    case 'room':
      return { step, row: 0, rows: 0, multiplying: false };
    case 'route':
      return { step, row: step.row, rows: step.row + 1, multiplying: false };
    case 'stored':
      return { step, row: last, rows, multiplying: false };
    case 'row':
      return { step, row: step.row, rows, multiplying: true };
    case 'multiplied':
      return { step, row: last, rows, multiplying: true };
  }
}

function isAboutRow(step: HybridStep | null): boolean {
  return step?.kind === 'route' || step?.kind === 'row';
}

/** The slots of a few rows, value and column each. Panel id 'compact'. */
function compactPanel({ encoded: e }: HybridTrace, state: State): Panel {
  const shown = Math.min(e.rows, COMPACT_ROWS_SHOWN);
  const top = pageStart(e.rows, state.row, shown);
  const slots = Math.min(e.slots, SLOTS_SHOWN);
  const marks: Mark[] = [];
  for (let r = top; r < top + shown; r++) {
    const used = e.tailMap[r] === NONE ? e.counts[r] : 0;
    for (let s = 0; s < slots; s++) {
      const at = r * e.slots + s;
      const box = { shape: 'box', x: 2 * s, y: r - top, h: 1 } as const;
      const about = [elementName('values', at), elementName('indices', at)];
      const where = `row ${r}, slot ${s}`;
      if (r >= state.rows) {
        marks.push({
          id: `slot ${at}`,
          ...box,
          w: 2,
          tone: 'neutral',
          state: 'ghost',
          label: `${where}: not there yet`,
          about,
        });
      } else if (s >= used) {
        const why = e.tailMap[r] === NONE ? 'empty' : 'the row is in the tail';
        marks.push({ id: `slot ${at}`, ...box, w: 2, tone: 'padding', label: `${where}: ${why}`, about });
      } else {
        const column = e.indices[at];
        const value = valueText(bf16Value(e.values[at]));
        const name = cellName(r, column);
        const shared = {
          about: [...about, name],
          from: name,
          ...(isAboutRow(state.step) && r === state.row ? { focus: true } : {}),
        };
        marks.push({
          id: `value ${at}`,
          ...box,
          w: 1,
          tone: 'values',
          text: value,
          label: `${where}: ${value} of column ${column}`,
          ...shared,
        });
        marks.push({
          id: `column ${at}`,
          ...box,
          x: 2 * s + 1,
          w: 1,
          tone: 'indices',
          text: String(column),
          label: `${where}: column ${column}`,
          ...shared,
        });
      }
    }
  }
  const part = slots < e.slots ? `, the first ${slots} shown` : '';
  return {
    id: 'compact',
    title: 'compact part',
    caption: `${counted(e.slots, 'slot')} per row${part}`,
    unit: 'slot',
    columns: Math.max(1, 2 * slots),
    rows: Math.max(1, shown),
    rowLabels: Array.from({ length: shown }, (_, i) => ({
      at: i,
      text: String(top + i),
      strong: top + i === state.row,
    })),
    focus: { x: 0, y: Math.max(0, state.row - top) },
    marks,
  };
}

/** Tail rows with all their cells; free ones are dashed. Panel id 'tail'. */
function tailPanel({ encoded: e, window }: HybridTrace, state: State): Panel {
  const shown = Math.min(e.tailCapacity, TAIL_SHOWN);
  const stored = Array.from(e.tailRows.subarray(0, e.tailUsed)).filter((r) => r < state.rows).length;
  const inTail = e.tailMap[state.row] ?? NONE;
  const top = pageStart(e.tailCapacity, inTail === NONE ? Math.max(0, stored - 1) : inTail, shown);
  const marks: Mark[] = [];
  for (let place = top; place < top + shown; place++) {
    const r = e.tailRows[place];
    const y = place - top;
    if (place >= stored) {
      marks.push({
        id: `free ${place}`,
        shape: 'box',
        x: 0,
        y,
        w: Math.max(1, e.cols),
        h: 1,
        tone: 'neutral',
        state: 'ghost',
        label: `tail row ${place}: free`,
      });
      continue;
    }
    for (let i = window.indptr[r]; i < window.indptr[r + 1]; i++) {
      const column = window.indices[i];
      const at = place * e.cols + column;
      const name = cellName(r, column);
      marks.push({
        id: `tail ${at}`,
        shape: 'box',
        x: column,
        y,
        w: 1,
        h: 1,
        tone: 'values',
        level: 0.8,
        label: `tail row ${place}, column ${column}: ${valueText(bf16Value(e.tail[at]))}`,
        about: [elementName('tail', at), name],
        from: name,
        ...(isAboutRow(state.step) && r === state.row ? { focus: true } : {}),
      });
    }
  }
  return {
    id: 'tail',
    title: 'dense tail',
    caption: `${counted(e.tailUsed, 'row')} of ${e.tailCapacity} in use`,
    unit: 'cell',
    columns: Math.max(1, e.cols),
    rows: Math.max(1, shown),
    grid: { rows: Math.max(1, shown) },
    rowLabels: Array.from({ length: shown }, (_, y) => ({ at: y, text: String(top + y) })),
    focus: { x: 0, y: Math.max(0, stored - 1 - top) },
    marks,
  };
}

/** Count and place of every row. Panel id 'map'. */
function mapPanel({ encoded: { rows, counts, tailMap } }: HybridTrace, state: State): Panel {
  const look = (r: number): { focus?: true } => (isAboutRow(state.step) && r === state.row ? { focus: true } : {});
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

/** x and y, from the moment they are needed. */
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

/** The first non-zero of the row on its way. */
function links({ window: { indptr, indices }, encoded: e }: HybridTrace, { step }: State): readonly Link[] {
  if (step?.kind !== 'route' || e.counts[step.row] === 0) return [];
  const column = indices[indptr[step.row]];
  const place = e.tailMap[step.row];
  const to = place === NONE ? `value ${step.row * e.slots}` : `tail ${place * e.cols + column}`;
  return [curve(cellName(step.row, column), to)];
}
