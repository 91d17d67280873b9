import { cellRow, counter, type DrawingLayout, NARROW, sizeOf, unitText, WIDE, words } from './drawing.ts';
import {
  aloneGrid,
  columnNumbers,
  drawing,
  type DrawnWindow,
  exactText,
  fitting,
  type Parts,
  rowCells,
  type RowGrid,
  rowGrid,
} from './drawn-rows.ts';
import { shareText } from './rounded.ts';
import { cellName, MATRIX_ROWS_SHOWN, pageStart } from './scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark, TextRun } from './scene.ts';
import { numberText } from './stated.ts';
import { bytesNumber, capitalised, counted, valueText, xText } from './words.ts';

/* The first picture of a story: the window as dense stores it. */

/** A number of x or y in few characters. */
function shortText(value: number): string {
  const size = Math.abs(value);
  return size >= 0.05 && size < 1000 ? value.toFixed(1).replace('-', '\u2212') : valueText(value);
}

/** x above a line of a row. `used`: columns that are read now; all without it. */
function xCells(
  { t }: DrawnWindow,
  grid: RowGrid,
  line: number,
  at: { readonly y: number; readonly height: number },
  used?: ReadonlySet<number>,
): readonly DrawnMark[] {
  const first = line * grid.fold;
  return cellRow(
    { x: grid.x, y: at.y, pitch: grid.pitch, height: at.height },
    Math.min(grid.fold, grid.cols - first),
    (i) => `x[${first + i}]`,
    (i) => {
      const text = xText(t.x[first + i]);
      return {
        label: `x[${first + i}]: ${valueText(t.x[first + i])}`,
        ...(grid.size !== null && { text, size: Math.min(9.5, fitting(grid.pitch - 2, text.length)) }),
        ...(used && !used.has(first + i) && { state: 'dim' as const }),
      };
    },
  ).map((mark): DrawnMark => ({ ...mark, shape: 'frame', tone: 'neutral' }));
}

/** The box of a row's sum. */
function sumBox(facts: DrawnWindow, row: number, at: { x: number; y: number }, isStrong: boolean): DrawnMark {
  const text = shortText(facts.sums[row]);
  return {
    id: `y[${row}]`,
    shape: 'frame',
    tone: isStrong ? 'ink' : 'neutral',
    ...at,
    w: 46,
    h: 22,
    text,
    strong: isStrong,
    size: Math.min(12, fitting(42, text.length)),
    label: `y[${row}]: ${valueText(facts.sums[row])}`,
  };
}

/** Rows that are drawn of a window with many: those around its first row with weights. */
function shownRows({ t, lead }: DrawnWindow): readonly [top: number, count: number] {
  const { rows } = t.window;
  const count = Math.min(rows, MATRIX_ROWS_SHOWN);
  return [pageStart(rows, lead?.row ?? 0, count), count];
}

/** The matrix as dense stores it, with its zeros, and the meaning of a row. `one`: the meaning of a cell. O(cells). */
export function densePicture(
  facts: DrawnWindow,
  layout: DrawingLayout,
  one: 'weight' | 'activation' = 'weight',
): Drawing {
  const { rows, cols } = facts.t.window;
  if (rows === 0 || cols === 0) return drawing(layout, emptyMarks(facts, layout));
  return layout === 'wide' ? wideDense(facts, one) : narrowDense(facts, one);
}

function emptyMarks(facts: DrawnWindow, layout: DrawingLayout): readonly DrawnMark[] {
  const { rows, cols } = facts.t.window;
  const at = { x: 0, y: 120, w: sizeOf(layout).width };
  return [words('nothing', at, `${rows} \u00d7 ${cols}: this cut has no cells.`, { size: 15, align: 'middle' })];
}

function wideDense(facts: DrawnWindow, one: string): Drawing {
  const grid = rowGrid(facts, { x: 64, room: WIDE.width - 64 - 72, fold: Math.max(32, facts.t.window.cols) });
  const [top, count] = shownRows(facts);
  const pitch = Math.min(34, 140 / count);
  const yOf = (row: number): number => 50 + (row - top) * pitch;
  const lead = facts.lead?.row ?? top;
  const right = grid.x + grid.fold * grid.pitch;
  const marks: Parts = [
    ...columnNumbers(grid, 0, 0),
    words('x', { x: 0, y: 19 }, 'x', { tone: 'ink', strong: true }),
    ...xCells(facts, grid, 0, { y: 18, height: 20 }),
    words('y', { x: right + 43, y: 19 }, 'y', { tone: 'ink', strong: true, align: 'middle' }),
    ...matrixRows(facts, grid, { top, count, yOf, pitch }),
  ];
  const links: DrawnLink[] = [];
  if (pitch >= 15) {
    for (let row = top; row < top + count; row++) {
      const isLead = row === lead;
      marks.push(
        words(`row ${row}`, { x: 0, y: yOf(row) + pitch / 2 - 9 }, `row ${row}`, {
          size: 12,
          strong: isLead,
          tone: isLead ? 'ink' : 'neutral',
        }),
      );
      if (pitch >= 26 || isLead)
        marks.push(sumBox(facts, row, { x: right + 20, y: yOf(row) + (pitch - 2) / 2 - 11 }, isLead));
    }
  } else marks.push(sumBox(facts, lead, { x: right + 20, y: yOf(lead) + pitch / 2 - 11 }, true));
  marks.push(rowOutline(lead, { x: grid.x - 2, y: yOf(lead) - 1, w: grid.fold * grid.pitch + 2, h: pitch }));
  links.push({ id: 'row to y', from: 'row outline', to: `y[${lead}]`, kind: 'curve', tone: 'neutral', arrow: true });
  const y = 50 + count * pitch + 6;
  const said = wordsBelow(facts, count, one);
  marks.push(
    words('means', { x: 64, y }, said.means, { size: 15, strong: true, tone: 'ink' }),
    words('counts', { x: 64, y: y + 25 }, said.counts, { size: 13 }),
    words('unit', { x: 64, y: y + 47, w: WIDE.width - 64 }, said.unit, { size: 12 }),
    denseCounter(facts, 'wide', one),
  );
  return drawing('wide', marks, links);
}

/** On a phone one row is folded, with x above it; then all rows, without numbers. */
function narrowDense(facts: DrawnWindow, one: string): Drawing {
  const grid = aloneGrid(facts, 'narrow');
  const lead = facts.lead?.row ?? 0;
  const [top, count] = shownRows(facts);
  const isFolded = grid.lines <= 2;
  const linePitch = 74;
  const marks: Parts = [];
  let y = 0;
  if (isFolded) {
    for (let line = 0; line < grid.lines; line++) {
      marks.push(
        columnNumbers(grid, line, line * linePitch),
        xCells(facts, grid, line, { y: line * linePitch + 15, height: 18 }),
      );
    }
    const height = 30;
    const yOf = (line: number): number => line * linePitch + 37;
    marks.push(rowCells(facts, grid, lead, { yOf, height }, { empty: zeroLook(facts, grid, lead) }));
    y = grid.lines * linePitch + 2;
    marks.push(
      words('row and y', { x: 0, y: y + 3 }, `row ${lead} times x:`, { size: 13, tone: 'ink' }),
      sumBox(facts, lead, { x: 110, y }, true),
    );
    y += 34;
  }
  const small = rowGrid(facts, { x: 0, room: NARROW.width, fold: Math.max(16, facts.t.window.cols) });
  const pitch = isFolded ? Math.min(16, 64 / count) : Math.min(30, 200 / count);
  const yOf = (row: number): number => y + (row - top) * pitch;
  const skipsLead = isFolded ? lead : -1;
  marks.push(
    matrixRows(facts, { ...small, size: isFolded ? null : small.size }, { top, count, yOf, pitch, skip: skipsLead }),
  );
  y += count * pitch + 10;
  const said = wordsBelow(facts, count, one);
  const w = NARROW.width;
  marks.push(
    words('means', { x: 0, y, w }, said.means, { size: 14, strong: true, tone: 'ink' }),
    words('counts', { x: 0, y: y + 44, w }, said.counts, { size: 12 }),
    words('unit', { x: 0, y: y + 80, w }, said.unit, { size: 11 }),
    denseCounter(facts, 'narrow', one),
  );
  return drawing('narrow', marks);
}

function rowOutline(row: number, at: { x: number; y: number; w: number; h: number }): DrawnMark {
  return { id: 'row outline', shape: 'frame', tone: 'ink', ...at, label: `row ${row}` };
}

function zeroLook({ t }: DrawnWindow, grid: RowGrid, row: number) {
  return (column: number) => ({
    tone: 'padding' as const,
    label: `row ${row}, column ${column}: 0`,
    about: [cellName(row, column)],
    ...(grid.size !== null && t.window.cols <= 64 && { text: '0', size: Math.min(10, grid.size) }),
  });
}

/** All rows, each on one line. Cells too small for numbers lie on one hatched ground. */
function matrixRows(
  facts: DrawnWindow,
  grid: RowGrid,
  at: {
    readonly top: number;
    readonly count: number;
    readonly yOf: (row: number) => number;
    readonly pitch: number;
    /** a row whose cells are elsewhere: drawn under other names */
    readonly skip?: number;
  },
): readonly DrawnMark[] {
  const hasNumbers = grid.size !== null && at.pitch >= 14;
  const height = at.pitch - Math.min(2, at.pitch / 4);
  const marks: Parts = [];
  if (!hasNumbers)
    marks.push({
      id: 'zeros',
      shape: 'box',
      tone: 'padding',
      x: grid.x,
      y: at.yOf(at.top),
      w: grid.fold * grid.pitch - 2,
      h: at.count * at.pitch - (at.pitch - height),
      label: 'zeros',
    });
  for (let row = at.top; row < at.top + at.count; row++) {
    const size = hasNumbers
      ? { ...grid, size: Math.min(grid.size ?? 12, (at.pitch - 2) * 0.8) }
      : { ...grid, size: null };
    const drawn = rowCells(
      facts,
      size,
      row,
      { yOf: () => at.yOf(row), height },
      {
        empty: hasNumbers
          ? zeroLook(facts, size, row)
          : (column) => ({ ...zeroLook(facts, size, row)(column), state: 'bare' }),
      },
    );
    marks.push(row === at.skip ? drawn.map((mark) => ({ ...mark, id: `small ${mark.id}` })) : drawn);
  }
  return marks.flat();
}

function wordsBelow(
  facts: DrawnWindow,
  shown: number,
  one: string,
): { means: string; counts: readonly TextRun[]; unit: string } {
  const { weights, unit, dense, t } = facts;
  const cells = t.window.rows * t.window.cols;
  const zeros = cells - weights.length;
  const example = weights.find(({ value }) => Math.round(Math.abs(value) * unit.perOne) > 0);
  const scale =
    unit.name === null || !example
      ? ''
      : `${capitalised(one)}s in ${unit.name}: ${unitText(example.value, unit)} means ${exactText(facts, example.value, 0)}. `;
  const part = shown < t.window.rows ? ` ${shown} of ${t.window.rows} rows drawn.` : '';
  const kept = weightBytes(facts);
  return {
    means: `A row times x gives one number. Dense stores zeros too.`,
    counts: [
      { text: `${counted(weights.length, one)}: ${bytesNumber(kept)} bytes. `, tone: 'values' },
      {
        text:
          zeros === 0
            ? 'No zeros.'
            : `${counted(zeros, 'zero')}, hatched: stored but useless, ${bytesNumber(dense - kept)} of ${bytesNumber(dense)} bytes.`,
      },
    ],
    unit: `${scale}${shareText(zeros / cells)} of these ${t.window.rows} \u00d7 ${t.window.cols} numbers are 0.${part}`,
  };
}

function weightBytes({ weights, valueBits }: DrawnWindow): number {
  return (weights.length * valueBits) / 8;
}

function denseCounter(facts: DrawnWindow, layout: DrawingLayout, one: string): readonly DrawnMark[] {
  const { dense, valueBits } = facts;
  const kept = weightBytes(facts);
  const each = numberText({ value: valueBits / 8, rounding: 'word' });
  const parts = [
    { tone: 'values', value: kept, label: `${one}s ${bytesNumber(kept)}` },
    { tone: 'padding', value: dense - kept, label: `zeros ${bytesNumber(dense - kept)}` },
  ] as const;
  return counter(layout, {
    title: 'all rows',
    parts: parts.filter(({ value }) => value > 0),
    of: dense,
    ...(layout === 'wide' && { ofText: `dense ${bytesNumber(dense)}` }),
    number: bytesNumber(dense),
    unit: `of ${bytesNumber(dense)} bytes`,
    note: `${layout === 'wide' ? 'dense: ' : ''}${valueBits === 4 ? 'half a byte' : `${each} ${valueBits === 8 ? 'byte' : 'bytes'}`} a number`,
  });
}
