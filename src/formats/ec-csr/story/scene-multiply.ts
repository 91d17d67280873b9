import { box, bracket, notThereYet } from '../../../core/story/marks.ts';
import { cellName, matrixPanel, rowFrame } from '../../../core/story/scene-parts.ts';
import type { Link, Mark, Panel } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { valueAt } from '../layout.ts';
import { blockName } from '../pack.ts';
import { COLUMNS_SHOWN, matrixOfBlock } from './scene-blocks.ts';
import {
  blockColumnsInMemory,
  type EcCsrStep,
  type EcCsrTrace,
  type Segment,
  segmentColumns,
  segmentsOf,
  type StoredColumn,
} from './trace.ts';

type MultiplyStep = Extract<EcCsrStep, { kind: 'gather' | 'partials' | 'row' }>;
type GatherStep = Extract<EcCsrStep, { kind: 'gather' }>;
type BlockStep = Extract<MultiplyStep, { set: number }>;

/** Gathers that are linked to their products; more would hide the numbers. */
const LINKED_GATHERS = 16;

interface Picture {
  readonly panels: readonly Panel[];
  readonly links: readonly Link[];
}

/** A segment times x, the sums of a block's lanes, or the blocks that meet in a row. */
export function multiplyScene(t: EcCsrTrace, step: MultiplyStep): Picture {
  if (step.kind === 'row') return rowScene(t, step.row);
  const matrix = matrixOfBlock(t, t.sets[step.set].blocks[step.block]);
  if (step.kind === 'partials') return { panels: [matrix, laneSumsPanel(t, step)], links: [] };
  const segment = segmentsOf(t.encoded, t.infos[step.set], step.block)[step.segment];
  const columns = segmentColumns(t.encoded, t.infos[step.set], step.block, segment).slice(0, COLUMNS_SHOWN);
  const panels = [
    matrix,
    gatherPanel(t, columns),
    gatheredPanel(t, step, columns),
    productsPanel(t, step, columns, segment.width),
    partialsPanel(t, step, segment),
  ];
  const links = columns
    .filter(({ place }) => !isPadding(t, step.set, place))
    .slice(0, LINKED_GATHERS)
    .map(({ column, place }): Link => ({
      id: `gather ${place}`,
      from: `x[${column}]`,
      to: `gathered ${place}`,
      kind: 'curve',
      tone: 'format',
    }));
  return { panels, links };
}

function isPadding(t: EcCsrTrace, set: number, place: number): boolean {
  const { valuesAt, granularity } = t.infos[set];
  return Array.from({ length: granularity }, (_, g) => valueAt(t.encoded, valuesAt + place * granularity + g)).every(
    (value) => value === 0,
  );
}

/** x with what this segment gathers. Panel id 'x'. */
function gatherPanel(t: EcCsrTrace, columns: readonly StoredColumn[]): Panel {
  const read = new Set(columns.map((c) => c.column));
  const marks = Array.from(t.x, (value, c): Mark =>
    box(`x[${c}]`, c, 0, { tone: 'format', level: read.has(c) ? 1 : 0.15, label: `x[${c}]: ${valueText(value)}` }),
  );
  return {
    id: 'x',
    unit: 'cell',
    columns: Math.max(1, t.x.length),
    rows: 1,
    rowLabels: [{ at: 0, text: 'x' }],
    focus: { x: columns[0]?.column ?? 0, y: 0 },
    marks,
  };
}

/** The gathered x, a slot per gather. No title, which curves would cross. Panel id 'gathered'. */
function gatheredPanel(t: EcCsrTrace, step: GatherStep, columns: readonly StoredColumn[]): Panel {
  const { granularity } = t.infos[step.set];
  const marks = columns.map(({ column, place }, x): Mark => {
    const gathered = valueText(t.x[column]);
    const rows = granularity === 1 ? 'its row' : `${granularity} rows`;
    return box(`gathered ${place}`, x, 0, {
      tone: 'format',
      level: 1,
      text: gathered,
      label: `x[${column}]: ${gathered}, gathered once for ${rows}`,
    });
  });
  return {
    id: 'gathered',
    unit: 'slot',
    columns: Math.max(1, columns.length),
    rows: 1,
    rowLabels: [{ at: 0, text: 'x' }],
    focus: { x: 0, y: 0 },
    marks,
  };
}

/** A column per gather: a product per row of the block. Panel id 'products'. */
function productsPanel(t: EcCsrTrace, step: GatherStep, columns: readonly StoredColumn[], width: number): Panel {
  const info = t.infos[step.set];
  const rows = t.sets[step.set].blocks[step.block].rows;
  const marks: Mark[] = [];
  columns.forEach(({ column, place }, x) => {
    for (let g = 0; g < info.granularity; g++) {
      const value = valueAt(t.encoded, info.valuesAt + place * info.granularity + g);
      const product = valueText(value * t.x[column]);
      marks.push(
        box(`product ${place}.${g}`, x, g, {
          tone: value === 0 ? 'padding' : 'values',
          text: product,
          label:
            value === 0
              ? `row ${rows[g]}: padding`
              : `row ${rows[g]}: ${valueText(value)} times x[${column}] = ${product}`,
          ...(value === 0 ? {} : { about: [cellName(rows[g], column)] }),
        }),
      );
    }
  });
  for (let x = 0; x < columns.length; x += width) {
    marks.push(
      bracket(`lane ${columns[x].lane}`, x, info.granularity + 0.1, width, `lane ${columns[x].lane}`, {
        label: `columns of lane ${columns[x].lane}`,
      }),
    );
  }
  return {
    id: 'products',
    title: 'value × x',
    unit: 'slot',
    columns: Math.max(1, columns.length),
    rows: info.granularity + 1,
    rowLabels: Array.from(rows, (row, g) => ({ at: g, text: `row ${row}` })),
    focus: { x: 0, y: 0 },
    marks,
  };
}

/** Sums of a block, or of its columns up to a segment: per row and lane. */
function laneSums(t: EcCsrTrace, { set, block }: BlockStep, last?: Segment): readonly Float64Array[] {
  const info = t.infos[set];
  const columns = blockColumnsInMemory(t.encoded, info, block);
  const added = last ? columns.slice(0, (last.first + last.width) * t.params.lanes) : columns;
  const sums = Array.from({ length: info.granularity }, () => new Float64Array(t.params.lanes));
  added.forEach(({ lane, column, place }) => {
    for (let g = 0; g < info.granularity; g++) {
      sums[g][lane] += valueAt(t.encoded, info.valuesAt + place * info.granularity + g) * t.x[column];
    }
  });
  return sums;
}

const total = (lanes: Float64Array): number => lanes.reduce((sum, part) => sum + part, 0);

/** The block's sums up to this segment, over all lanes. Panel id 'partials'. */
function partialsPanel(t: EcCsrTrace, step: GatherStep, segment: Segment): Panel {
  const rows = t.sets[step.set].blocks[step.block].rows;
  const sums = laneSums(t, step, segment);
  return {
    id: 'partials',
    title: 'partial sums',
    unit: 'slot',
    columns: Math.max(1, rows.length),
    rows: 1,
    columnLabels: Array.from(rows, (row, g) => ({ at: g, text: `row ${row}` })),
    focus: { x: 0, y: 0 },
    marks: sums.map((lanes, g): Mark =>
      box(`partial ${g}`, g, 0, {
        tone: 'format',
        level: 0.35,
        text: valueText(total(lanes)),
        label: `partial sum of row ${rows[g]}: ${valueText(total(lanes))}`,
      }),
    ),
  };
}

/** The sum of every lane for every row of the block, and their totals. Panel id 'lane-sums'. */
function laneSumsPanel(t: EcCsrTrace, step: Extract<MultiplyStep, { kind: 'partials' }>): Panel {
  const rows = t.sets[step.set].blocks[step.block].rows;
  const { lanes } = t.params;
  const marks = laneSums(t, step).flatMap((parts, g): Mark[] => [
    ...Array.from(parts, (part, lane): Mark =>
      box(`part ${g}.${lane}`, lane, g, {
        tone: 'values',
        text: valueText(part),
        label: `row ${rows[g]}, lane ${lane}: ${valueText(part)}`,
      }),
    ),
    box(`partial ${g}`, lanes + 0.4, g, {
      tone: 'format',
      level: 0.35,
      text: valueText(total(parts)),
      label: `partial sum of row ${rows[g]}: ${valueText(total(parts))}`,
      focus: true,
    }),
  ]);
  return {
    id: 'lane-sums',
    title: 'sums of the lanes',
    unit: 'slot',
    columns: lanes + 1.4,
    rows: rows.length,
    columnLabels: [
      ...Array.from({ length: lanes }, (_, lane) => ({ at: lane, text: `lane ${lane}` })),
      { at: lanes + 0.4, text: 'sum' },
    ],
    rowLabels: Array.from(rows, (row, g) => ({ at: g, text: `row ${row}` })),
    focus: { x: lanes + 0.4, y: 0 },
    marks,
  };
}

/** A row, the partial sums that meet in it, and y. */
function rowScene(t: EcCsrTrace, row: number): Picture {
  const parts = t.sets.flatMap(({ part, blocks }, set) =>
    blocks.flatMap(({ rows }, block) => {
      const g = rows.indexOf(row);
      if (g < 0) return [];
      const step = { kind: 'partials', set, block } as const;
      const value = total(laneSums(t, step)[g]);
      const name = blockName(part);
      return [{ id: `part ${set}.${block}`, rows, name, value }];
    }),
  );
  const shown = parts.slice(0, COLUMNS_SHOWN);
  const meeting: Panel = {
    id: 'meeting',
    title: 'partial sums',
    unit: 'slot',
    columns: Math.max(1, shown.length) * 1.5,
    rows: 1,
    columnLabels: shown.map(({ rows }, i) => ({
      at: i * 1.5 + 0.25,
      text: rows.length > 2 ? `${rows.length} rows` : rows.join('+'),
    })),
    focus: { x: 0, y: 0 },
    marks: shown.map(({ id, rows, name, value }, i): Mark =>
      box(id, i * 1.5, 0, {
        w: 1.4,
        tone: 'format',
        level: 0.35,
        text: valueText(value),
        label: `${name} of ${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}: ${valueText(value)}`,
      }),
    ),
  };
  const matrix = matrixPanel(t.window, {
    row,
    look: (r) => (r === row ? {} : { state: 'dim' }),
    overlay: rowFrame(t.window, row),
  });
  const links = shown.map(({ id }): Link => ({
    id: `add ${id}`,
    from: id,
    to: `y[${row}]`,
    kind: 'curve',
    tone: 'format',
  }));
  return { panels: shown.length > 0 ? [matrix, meeting, sumsPanel(t, row)] : [matrix, sumsPanel(t, row)], links };
}

/** y up to a row. Panel id 'y'. */
function sumsPanel(t: EcCsrTrace, row: number): Panel {
  const rows = t.window.rows;
  return {
    id: 'y',
    unit: 'slot',
    columns: Math.max(1, rows),
    rows: 1,
    columnLabels: Array.from({ length: rows }, (_, r) => ({ at: r, text: String(r) })),
    rowLabels: [{ at: 0, text: 'y' }],
    focus: { x: row, y: 0 },
    marks: Array.from(t.y, (sum, r): Mark =>
      box(`y[${r}]`, r, 0, {
        tone: 'format',
        text: valueText(sum),
        ...(r <= row ? { level: 0.35, label: `y[${r}]: ${valueText(sum)}` } : notThereYet(`y[${r}]`)),
        ...(r === row ? { focus: true } : {}),
      }),
    ),
  };
}
