import { box, bracket } from '../../../core/story/marks.ts';
import { cellName, elementName, type MarkLook, matrixPanel, memoryPanels } from '../../../core/story/scene-parts.ts';
import type { Link, Mark, Panel } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import type { Block } from '../extract.ts';
import { deltaAt, valueAt } from '../layout.ts';
import type { PackedBlock } from '../pack.ts';
import { blockColumnsInMemory, type EcCsrStep, type EcCsrTrace, segmentsOf, type StoredColumn } from './trace.ts';

type LaidOutStep = Extract<EcCsrStep, { kind: 'lanes' | 'memory' | 'sets' }>;

/** Columns of a block that are drawn; the renderer keeps the first in view. */
export const COLUMNS_SHOWN = 48;

/** Up to this many columns of a block are each linked to their origin; of longer blocks only the first and the last. */
const LINKED_COLUMNS = 16;

/** A block that has just been extracted, and where its columns came from. */
export function extractedBlock(t: EcCsrTrace, block: Block): { panel: Panel; links: readonly Link[] } {
  const { rows, columns } = block;
  const all = columns.length <= LINKED_COLUMNS;
  const linked = all ? Array.from(columns) : [columns[0], columns[columns.length - 1]];
  const links = linked.map((column): Link => {
    const from = cellName(rows[rows.length - 1], column);
    return { id: `out ${column}`, from, to: `block 0,${column}`, kind: 'curve', tone: 'format' };
  });
  const panel = blockPanel(t, block);
  if (all) return { panel, links };
  const columnLabels = Array.from(columns.subarray(0, COLUMNS_SHOWN), (c, i) => ({ at: i, text: String(c) }));
  return { panel: { ...panel, columnLabels }, links };
}

/** The block's rows below each other, its columns side by side. Panel id 'block'. */
function blockPanel(t: EcCsrTrace, { rows, columns }: Block): Panel {
  const cells = windowValues(t);
  const marks: Mark[] = [];
  const shown = Math.min(columns.length, COLUMNS_SHOWN);
  for (let r = 0; r < rows.length; r++) {
    for (let i = 0; i < shown; i++) {
      const value = cells(rows[r], columns[i]);
      marks.push(
        box(`block ${r},${columns[i]}`, i, r, {
          tone: 'format',
          level: 1,
          text: valueText(value),
          label: `row ${rows[r]}, column ${columns[i]}: ${valueText(value)}`,
          about: [cellName(rows[r], columns[i])],
          from: cellName(rows[r], columns[i]),
        }),
      );
    }
  }
  return {
    id: 'block',
    title: 'block',
    // Short, because curves end next to it.
    caption: `${rows.length} × ${columns.length}`,
    unit: 'slot',
    columns: Math.max(1, shown),
    rows: rows.length,
    rowLabels: Array.from(rows, (row, r) => ({ at: r, text: `row ${row}` })),
    focus: { x: 0, y: 0 },
    marks,
  };
}

function windowValues(t: EcCsrTrace): (row: number, col: number) => number {
  const buffer = { columns: new Uint32Array(t.window.cols), values: new Float32Array(t.window.cols) };
  let current = -1;
  let n = 0;
  return (row, col) => {
    if (row !== current) n = t.window.readRow(row, buffer);
    current = row;
    const i = buffer.columns.subarray(0, n).indexOf(col);
    return i < 0 ? 0 : buffer.values[i];
  };
}

/** How one block becomes arrays: its lanes, its bases and deltas, and the order in memory. */
export function laidOutScene(
  t: EcCsrTrace,
  step: LaidOutStep,
  stepNumber: number,
): { panels: readonly Panel[]; links: readonly Link[] } {
  if (step.kind === 'sets') return { panels: [setsPanel(t)], links: [] };
  const block = t.sets[step.set].blocks[step.block];
  const inMemory = step.kind === 'memory';
  const columns = blockColumnsInMemory(t.encoded, t.infos[step.set], step.block);
  const panels = [
    matrixOfBlock(t, block),
    lanesPanel(t, step, block),
    memoryOrderPanel(t, step, columns, inMemory),
    ...memoryPanels([
      {
        array: 'values',
        data: t.encoded.values,
        tone: (i) => (t.encoded.values[i] === 0 ? 'padding' : 'values'),
        present: (i) => i < valuesEnd(t, step, inMemory),
        look: (i) => (inMemory && isOfBlock(t, step, i) ? { focus: true } : {}),
        focus: t.infos[step.set].valuesAt + (columns[0]?.place ?? 0) * t.infos[step.set].granularity,
      },
      {
        array: 'deltaIndices',
        data: t.encoded.deltaIndices,
        tone: 'indices',
        present: (i) =>
          i < t.infos[step.set].deltaWordAt + Math.ceil((endColumn(t, step, inMemory) * t.encoded.deltaBits) / 32),
        focus: t.infos[step.set].deltaWordAt,
      },
    ]),
  ];
  const links: Link[] = [];
  if (inMemory && columns.length > 0) {
    const later = columns.find((c) => c.lane === 1) ?? columns[0];
    const lane = columns.filter((c) => c.lane === later.lane);
    links.push({
      id: 'curve',
      from: `lane ${later.lane}.${lane.indexOf(later)}`,
      to: `place ${later.place}`,
      kind: 'curve',
      tone: 'neutral',
    });
  }
  return { panels: stepNumber > 0 ? panels : [], links };
}

function endColumn(t: EcCsrTrace, { set, block }: { set: number; block: number }, inMemory: boolean): number {
  return t.encoded.blockPtr[t.infos[set].blockPtrAt + block + (inMemory ? 1 : 0)];
}

function valuesEnd(t: EcCsrTrace, at: { set: number; block: number }, inMemory: boolean): number {
  const info = t.infos[at.set];
  return info.valuesAt + endColumn(t, at, inMemory) * info.granularity;
}

function isOfBlock(t: EcCsrTrace, at: { set: number; block: number }, index: number): boolean {
  return index >= valuesEnd(t, at, false) && index < valuesEnd(t, at, true);
}

/** The cells of the window with those of one block in the format's colour. */
export function matrixOfBlock(t: EcCsrTrace, block: PackedBlock): Panel {
  const rows = new Set(block.rows);
  const columns = new Set(block.columns.filter((_, i) => block.real[i] === 1));
  const look = (row: number, col: number): MarkLook =>
    rows.has(row) && columns.has(col) ? { tone: 'format', level: 1 } : { state: 'dim' };
  return matrixPanel(t.window, { row: block.rows[0], look });
}

/** Every lane's columns on its own line: base, deltas. Panel id 'lanes'. */
function lanesPanel(
  t: EcCsrTrace,
  { set, block: b, kind }: { set: number; block: number; kind: string },
  block: PackedBlock,
): Panel {
  const { lanes } = t.params;
  const perLane = block.columns.length / lanes;
  const shownLanes = Math.min(lanes, 8);
  const marks: Mark[] = [];
  for (let lane = 0; lane < shownLanes; lane++) {
    const base = block.columns[lane * perLane];
    marks.push(
      box(`base ${lane}`, 0, lane, {
        tone: 'indices',
        text: String(base),
        label: `lane ${lane}: first column ${base}`,
        about: [elementName('baseIndices', t.infos[set].baseIndicesAt + b * lanes + lane)],
        ...(kind === 'lanes' ? { focus: true } : {}),
      }),
    );
    for (let i = 0; i < Math.min(perLane, COLUMNS_SHOWN); i++) {
      const column = block.columns[lane * perLane + i];
      const delta = i === 0 ? 0 : column - block.columns[lane * perLane + i - 1];
      const real = block.real[lane * perLane + i] === 1;
      marks.push(
        box(`lane ${lane}.${i}`, i + 1.4, lane, {
          tone: real ? 'indices' : 'padding',
          text: String(delta),
          label: `lane ${lane}, column ${column}: delta ${delta}${real ? '' : ', padding'}`,
          about: Array.from(block.rows, (row) => cellName(row, column)),
        }),
      );
    }
  }
  return {
    id: 'lanes',
    title: 'lanes',
    ...(shownLanes < lanes && { caption: `${shownLanes} of ${lanes}` }),
    unit: 'slot',
    columns: Math.min(perLane, COLUMNS_SHOWN) + 1.4,
    rows: shownLanes,
    columnLabels: [
      { at: 0, text: 'base' },
      { at: 1.4, text: 'deltas' },
    ],
    rowLabels: Array.from({ length: shownLanes }, (_, lane) => ({ at: lane, text: `lane ${lane}` })),
    focus: { x: 0, y: 0 },
    marks,
  };
}

const ABSENT = { state: 'ghost', label: 'not there yet' } as const;

/** The block's columns in memory order, each with its G values. Panel id 'order'. */
function memoryOrderPanel(
  t: EcCsrTrace,
  { set, block }: { set: number; block: number },
  columns: readonly StoredColumn[],
  present: boolean,
): Panel {
  const e = t.encoded;
  const info = t.infos[set];
  const rows = e.rowIndices.subarray(info.rowIndicesAt + block * info.granularity);
  const shown = columns.slice(0, COLUMNS_SHOWN);
  const marks: Mark[] = [];
  shown.forEach(({ lane, column, place }, x) => {
    const delta = deltaAt(e, info, place);
    marks.push(
      box(`place ${place}`, x, 0, {
        tone: 'indices',
        text: String(delta),
        ...(present ? { label: `lane ${lane}, column ${column}: delta ${delta}` } : ABSENT),
      }),
    );
    for (let g = 0; g < info.granularity; g++) {
      const value = valueAt(e, info.valuesAt + place * info.granularity + g);
      marks.push(
        box(`value ${place}.${g}`, x, g + 1, {
          tone: value === 0 ? 'padding' : 'values',
          text: valueText(value),
          about: [cellName(rows[g], column)],
          ...(present
            ? { label: `row ${rows[g]}, column ${column}: ${valueText(value)}`, from: cellName(rows[g], column) }
            : ABSENT),
        }),
      );
    }
  });
  for (const { first, width } of segmentsOf(e, info, block)) {
    for (let lane = 0; lane < e.lanes; lane++) {
      const x = first * e.lanes + lane * width;
      if (x >= shown.length) break;
      marks.push(
        bracket(`segment ${x}`, x, info.granularity + 1.1, width, `lane ${lane}`, { label: `segment of lane ${lane}` }),
      );
    }
  }
  return {
    id: 'order',
    title: 'in memory',
    // Short, because curves end next to it.
    caption: 'deltas, values',
    unit: 'slot',
    columns: Math.max(1, shown.length),
    rows: info.granularity + 2,
    rowLabels: [
      { at: 0, text: 'deltas' },
      ...Array.from({ length: info.granularity }, (_, g) => ({ at: g + 1, text: `row ${rows[g]}` })),
    ],
    focus: { x: 0, y: 0 },
    marks,
  };
}

/** The table of sets. Panel id 'sets'. */
function setsPanel(t: EcCsrTrace): Panel {
  const fields = ['granularity', 'blocks', 'columns', 'nnz'] as const;
  const marks = t.infos.flatMap((info, y) =>
    fields.map((field, x): Mark =>
      box(`set ${y} ${field}`, x * 1.6, y, {
        w: 1.5,
        tone: 'metadata',
        text: String(info[field]),
        label: `set ${y}: ${field} ${info[field]}`,
        ...(field === 'nnz' && info.granularity > 1 ? { focus: true } : {}),
      }),
    ),
  );
  return {
    id: 'sets',
    title: 'sets',
    unit: 'slot',
    columns: fields.length * 1.6,
    rows: Math.max(1, t.infos.length),
    columnLabels: ['rows', 'blocks', 'columns', 'non-zeros'].map((text, x) => ({ at: x * 1.6 + 0.25, text })),
    rowLabels: t.sets.map(({ part }, y) => ({ at: y, text: part === 'all' ? `set ${y}` : `set ${y}, ${part}` })),
    focus: { x: 0, y: 0 },
    marks,
  };
}
