import { entryValue } from '../../../core/number/index.ts';
import { box, bracket, frame, notThereYet } from '../../../core/story/marks.ts';
import { cellName, magnitudeLevels, MATRIX_PANEL, matrixPanel } from '../../../core/story/scene-parts.ts';
import type { Link, Mark, Panel } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { rowBuffer } from '../../../core/matrix/index.ts';
import { inRow, type Lanes, LINE_COLUMNS, lanesOf, touchedLines } from './lanes.ts';
import { entryCount, GROUP, storedDelta } from '../layout.ts';
import { rowSum } from './narration.ts';
import { entryName } from './scene-entries.ts';
import { LANES, type MackoStep, type MackoTrace } from './trace.ts';

type Step = Extract<MackoStep, { chunk: number }>;

/** The phases of a chunk in order; a register keeps what an earlier phase filled. */
const PHASES = ['load', 'sum', 'scan0', 'scan1', 'columns', 'gather', 'product', 'reduce'] as const;

/** One row times x: the row and x above, the lanes' registers below, y at the bottom. */
export function multiplyScene(t: MackoTrace, step: Step, stepNumber: number): { panels: Panel[]; links: Link[] } {
  const phase = PHASES.indexOf(step.kind);
  const lanes = lanesOf(t, step.row, step.chunk);
  const empty = t.encoded.indptr[step.row] === t.encoded.indptr[step.row + 1];
  const panels = [
    rowPanel(t, step, phase),
    lanesPanel(t, step, phase, lanes),
    productsPanel(t, step, phase, lanes),
    sumsPanel(t, step, stepNumber),
  ];
  const links: Link[] = [];
  const first = Math.max(t.encoded.indptr[step.row], step.chunk);
  if (!empty && step.kind === 'gather') {
    links.push({ id: 'curve', from: xName(t.columnOf[first]), to: `product ${first}`, kind: 'curve', tone: 'neutral' });
  }
  return { panels, links };
}

function xName(column: number): string {
  return `x[${column}]`;
}

/** The row's cells, x below it, and the cache lines of x that are touched. */
function rowPanel(t: MackoTrace, { kind, row, chunk }: Step, phase: number): Panel {
  const { cols } = t.window;
  const gathering = kind === 'gather' || kind === 'product';
  const buffer = rowBuffer(cols);
  const n = t.window.readRow(row, buffer);
  const start = t.encoded.indptr[row];
  const marks: Mark[] = [];
  const chunkColumns = new Map<number, number>();
  for (let i = Math.max(start, chunk); i < chunk + LANES * GROUP && inRow(t, row, i); i++)
    chunkColumns.set(t.columnOf[i], i);
  const levelOf = magnitudeLevels(t.window);
  for (let i = 0; i < n; i++) {
    const column = buffer.columns[i];
    const entry = chunkColumns.get(column);
    marks.push(
      box(cellName(row, column), column, 0, {
        tone: 'values',
        level: levelOf(buffer.values[i]),
        label: `row ${row}, column ${column}: ${valueText(buffer.values[i])}`,
        ...(entry === undefined ? { state: 'dim' } : { about: [entryName(entry)] }),
      }),
    );
  }
  for (let c = 0; c < cols; c++) {
    const entry = chunkColumns.get(c);
    const read = gathering && entry !== undefined;
    marks.push(
      box(xName(c), c, 1.4, {
        tone: 'format',
        level: read ? 1 : 0.15,
        label: `x[${c}]: ${valueText(t.x[c])}`,
        ...(entry === undefined ? {} : { about: [entryName(entry)] }),
      }),
    );
  }
  if (phase >= PHASES.indexOf('gather')) {
    for (const line of touchedLines(t, row, chunk)) {
      const from = line * LINE_COLUMNS;
      const to = Math.min(cols, from + LINE_COLUMNS);
      marks.push(
        bracket(`line ${line}`, from, 2.6, to - from, `line ${line}`, {
          h: 1,
          tone: 'format',
          label: `cache line ${line}: x[${from}] to x[${to - 1}]`,
        }),
      );
    }
  }
  return {
    id: MATRIX_PANEL,
    title: `row ${row} and x`,
    unit: 'cell',
    columns: Math.max(1, cols),
    rows: 3.8,
    grid: { rows: 1 },
    columnLabels: matrixPanel(t.window, { row }).columnLabels ?? [],
    rowLabels: [
      { at: 0, text: `row ${row}` },
      { at: 1.4, text: 'x' },
    ],
    focus: { x: Math.min(cols - 1, Math.max(0, t.columnOf[Math.max(start, chunk)] ?? 0)), y: 0 },
    marks,
  };
}

/** Left: the stored deltas that every lane loaded. Right: its sum and the scan. */
function lanesPanel(t: MackoTrace, { row, chunk }: Step, phase: number, lanes: Lanes): Panel {
  const marks: Mark[] = [];
  for (let lane = 0; lane < LANES; lane++) {
    for (let j = 0; j < GROUP; j++) marks.push(deltaMark(t, row, chunk + lane * GROUP + j, j, lane, phase));
    const columns: readonly [string, number, number][] = [
      ['sum', lanes.sums[lane], 1],
      ['scan0', lanes.scan0[lane], 2],
      ['scan1', lanes.scan1[lane], 3],
      ['start', lanes.carry + (lane === 0 ? 0 : lanes.scan1[lane - 1]), 4],
    ];
    columns.forEach(([name, value, since], i) => {
      marks.push(
        box(`${name} ${lane}`, GROUP + 0.5 + i, lane, {
          tone: 'format',
          ...(phase >= since
            ? { level: phase === since ? 0.35 : 0, text: String(value), label: `lane ${lane}, ${name}: ${value}` }
            : notThereYet(`lane ${lane}, ${name}`, String(value))),
        }),
      );
    });
  }
  const scanPhase = phase >= 1 && phase <= 4 ? phase : null;
  if (scanPhase !== null) {
    marks.push(frame('phase', GROUP - 0.5 + scanPhase, 0, 1, LANES, { focus: true }));
  }
  return {
    id: 'lanes',
    title: 'lanes',
    caption: 'stored deltas and their sums',
    unit: 'slot',
    columns: GROUP + 4.5,
    rows: LANES,
    columnLabels: [
      { at: GROUP + 0.5, text: 'sum' },
      { at: GROUP + 1.5, text: '+1' },
      { at: GROUP + 2.5, text: '+2' },
      { at: GROUP + 3.5, text: 'start' },
    ],
    rowLabels: Array.from({ length: LANES }, (_, lane) => ({ at: lane, text: `lane ${lane}` })),
    focus: { x: phase >= 1 && phase <= 4 ? GROUP + phase : 0, y: 0 },
    marks,
  };
}

function deltaMark(t: MackoTrace, row: number, entry: number, x: number, y: number, phase: number): Mark {
  const base = box(`register ${y}.${x}`, x, y);
  if (!inRow(t, row, entry)) {
    const whose = entry < entryCount(t.encoded) ? 'of another row' : 'past the end';
    return { ...base, tone: 'neutral', state: 'dim', text: '0', label: `entry ${entry}: ${whose}, masked` };
  }
  const stored = storedDelta(t.encoded, entry);
  return {
    ...base,
    tone: t.isPadding[entry] ? 'padding' : 'indices',
    text: String(stored),
    label: `entry ${entry}: stored delta ${stored}${t.isPadding[entry] ? ', padding' : ''}`,
    about: [entryName(entry)],
    ...(phase === 0 ? { focus: true } : {}),
  };
}

/** The columns, then the products, drawn where the deltas were; right: each lane's sum. */
function productsPanel(t: MackoTrace, { row, chunk }: Step, phase: number, lanes: Lanes): Panel {
  const columnsKnown = phase >= PHASES.indexOf('columns');
  const multiplied = phase >= PHASES.indexOf('product');
  const marks: Mark[] = [];
  for (let k = 0; k < LANES * GROUP; k++) {
    const entry = chunk + k;
    const left = k % GROUP;
    const top = Math.floor(k / GROUP);
    if (!inRow(t, row, entry)) {
      marks.push(box(`masked ${k}`, left, top, { state: 'dim', label: 'masked' }));
      continue;
    }
    const column = t.columnOf[entry];
    const product = entryValue(t.encoded, row, entry) * t.x[column];
    const text = multiplied ? valueText(product) : String(column);
    marks.push(
      box(`product ${entry}`, left, top, {
        tone: t.isPadding[entry] ? 'padding' : multiplied ? 'values' : 'indices',
        about: [entryName(entry)],
        ...(columnsKnown
          ? {
              text,
              label: multiplied
                ? `entry ${entry}: ${valueText(entryValue(t.encoded, row, entry))} times x[${column}] = ${valueText(product)}`
                : `entry ${entry}: column ${column}`,
            }
          : { state: 'ghost', text: valueText(product), label: `entry ${entry}: column not known yet` }),
      }),
    );
  }
  for (let lane = 0; lane < LANES; lane++) {
    marks.push(
      box(`partial ${lane}`, GROUP + 0.5, lane, {
        tone: 'format',
        ...(multiplied
          ? {
              level: 0.35,
              text: valueText(lanes.products[lane]),
              label: `sum of lane ${lane}: ${valueText(lanes.products[lane])}`,
            }
          : notThereYet(`sum of lane ${lane}`, valueText(lanes.products[lane]))),
      }),
    );
  }
  return {
    id: 'products',
    title: multiplied ? 'value × x' : 'columns',
    unit: 'slot',
    columns: GROUP + 4.5,
    rows: LANES,
    ...(multiplied && { columnLabels: [{ at: GROUP + 0.5, text: 'sum' }] }),
    rowLabels: Array.from({ length: LANES }, (_, lane) => ({ at: lane, text: `lane ${lane}` })),
    focus: { x: 0, y: 0 },
    marks,
  };
}

/** y, filled row by row. */
function sumsPanel(t: MackoTrace, step: Step, stepNumber: number): Panel {
  const { rows } = t.window;
  const first = Math.max(0, Math.min(step.row - 40, rows - 80));
  const marks: Mark[] = [];
  for (let r = first; r < Math.min(rows, first + 80); r++) {
    const done = r < step.row || (r === step.row && step.kind === 'reduce');
    marks.push(
      box(`y[${r}]`, r, 0, {
        tone: 'format',
        ...(done
          ? { level: 0.35, text: valueText(rowSum(t, r)), label: `y[${r}]: ${valueText(rowSum(t, r))}` }
          : notThereYet(`y[${r}]`, valueText(rowSum(t, r)))),
        ...(r === step.row ? { focus: stepNumber > 0 } : {}),
      }),
    );
  }
  return {
    id: 'y',
    unit: 'slot',
    columns: Math.max(1, rows),
    rows: 1,
    rowLabels: [{ at: 0, text: 'y' }],
    focus: { x: step.row, y: 0 },
    marks,
  };
}
