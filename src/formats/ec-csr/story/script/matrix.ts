import { type DrawingLayout, GUTTER, NARROW, unitText, words } from '../../../../core/story/drawing.ts';
import { cellName } from '../../../../core/story/scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../../core/story/scene.ts';
import { counted, countText, valueText } from '../../../../core/story/words.ts';
import type { Facts } from './facts.ts';
import {
  type Area,
  columnNumber,
  drawingOf,
  type Drawn,
  fittingSize,
  type Grid,
  gridLabels,
  gridOf,
  inWords,
  lines,
  numbersCounter,
  PALE,
  shownRows,
  weight,
  WIDE_MATRIX,
} from './parts.ts';

/* The matrix as frames draw it, with x and y, and the lists of column numbers of its rows. */

/** Rows of large windows that are drawn: with those of the first pair and the largest block, all that frames speak of. */
const MAX_ROWS = { wide: 10, narrow: 10 } as const;

/** Columns beside each other on a phone. */
const NARROW_COLUMNS = 16;

const CHOSEN_COLUMNS = 13;

export const NARROW_GUTTER = 36;

export const allColumns = ({ cols }: Facts): readonly number[] => Array.from({ length: cols }, (_, c) => c);

/** The matrix of a frame: all columns, or on a phone those that it speaks of first. */
export function matrixGrid(facts: Facts, layout: DrawingLayout, chosen: readonly number[]): Grid {
  const rows = shownRows(facts, MAX_ROWS[layout]);
  if (layout === 'wide') return gridOf(rows, allColumns(facts), WIDE_MATRIX);
  const cols = [...new Set([...chosen, ...allColumns(facts)])].slice(0, CHOSEN_COLUMNS).toSorted((a, b) => a - b);
  return gridOf(rows, cols, { x: NARROW_GUTTER, y: 16, w: NARROW.width - NARROW_GUTTER, h: 136 }, 16);
}

/** x as one white cell for each column; without numbers where not all of them fit. */
export function xMarks({ t }: Facts, cols: readonly number[], placeOf: (col: number) => Area): readonly DrawnMark[] {
  const cells = cols.map((col) => {
    const place = placeOf(col);
    const text = valueText(t.x[col])
      .replace(/^(\u2212?)0\./, '$1.')
      .replace(/0+$/, '')
      .replace(/\.$/, '');
    return { col, place, text, size: fittingSize(place, text.length) };
  });
  const isNumbered = cells.every(({ size }) => size !== null);
  return cells.map(({ col, place, text, size }) => ({
    id: `x ${col}`,
    shape: 'frame',
    tone: 'neutral',
    label: `x of column ${col}: ${valueText(t.x[col])}`,
    ...place,
    ...(isNumbered && size !== null && { text: text === '' ? '0' : text, size: Math.min(11, size) }),
  }));
}

const yText = (value: number): string => (value < 0 ? '\u2212' : '') + Math.abs(value).toFixed(2);

export function yMark(
  { t }: Facts,
  row: number,
  place: Area,
  look: { readonly value?: number; readonly focus?: boolean } = {},
): DrawnMark {
  const value = look.value ?? t.y[row];
  const size = fittingSize(place, 5);
  return {
    id: `y ${row}`,
    shape: 'frame',
    tone: 'neutral',
    label: `y of row ${row}: ${valueText(value)}`,
    ...place,
    ...(look.focus && { focus: true, strong: true }),
    ...(size !== null && { text: yText(value), size: Math.min(10.5, size) }),
  };
}

/** A cell without a weight. */
function noWeight(row: number, col: number, place: Area, tone: 'padding' | 'neutral'): DrawnMark {
  const name = cellName(row, col);
  return { id: name, shape: 'box', tone, label: `row ${row}, column ${col}: 0`, about: [name], ...place };
}

function zerosAndWeights(facts: Facts, grid: Grid): readonly DrawnMark[] {
  return grid.rows.flatMap((row) => {
    const own = new Set(facts.columns[row]);
    return grid.cols.map((col): DrawnMark =>
      own.has(col)
        ? weight(facts, row, col, grid.place(row, col))
        : noWeight(row, col, grid.place(row, col), 'padding'),
    );
  });
}

/** 'tenths: 6 means 0.6' */
function unitNote(facts: Facts): string | null {
  const { unit, columns, valueOf } = facts;
  if (unit.name === null) return null;
  const largest = columns
    .flatMap((own, row) => own.map((col) => Math.abs(valueOf(row, col))))
    .filter(Number.isFinite)
    .reduce((a, b) => Math.max(a, b), 0);
  return `Weights in ${unit.name}: ${unitText(largest, unit)} means ${Number((Math.round(largest * unit.perOne) / unit.perOne).toPrecision(3))}.`;
}

const denseText = ({ bytes, rows, cols, valueBytes }: Facts): string =>
  `Dense stores zeros too (hatched): ${countText(rows * cols)} \u00d7 ${valueBytes} = ${counted(bytes.dense, 'byte')}.`;

/** The lists of column numbers, a line each; those that every row has are dark. */
function columnLists(facts: Facts, rows: readonly number[], area: Area, maxPitch: number): readonly DrawnMark[] {
  const everywhere = new Set(facts.everywhere);
  const longest = rows.reduce((max, row) => Math.max(max, facts.columns[row].length), 1);
  const pitch = { x: Math.min(maxPitch, area.w / longest), y: Math.min(20, area.h / Math.max(1, rows.length)) };
  const labelled = pitch.y < 9 ? [] : rows;
  return [
    ...labelled.map((row, line) =>
      words(`list of ${row}`, { x: 0, y: area.y + (line + 0.5) * pitch.y - 8 }, `row ${row}`, { size: 10 }),
    ),
    ...rows.flatMap((row, line) =>
      facts.columns[row].map((col, i) => {
        const place = { x: area.x + i * pitch.x, y: area.y + line * pitch.y, w: pitch.x - 1.5, h: pitch.y - 1.5 };
        const isShared = everywhere.has(col);
        return columnNumber(facts, [row], col, place, { level: isShared ? 0.25 : 0, strong: isShared });
      }),
    ),
  ];
}

/** Frame 1: a row times x, and the column numbers that every row writes down. */
export function manyNumbers(facts: Facts, layout: DrawingLayout): Drawing {
  const count = numbersCounter(facts, layout, facts.numbers.start, `${counted(facts.numberBytes, 'byte')} each`);
  return layout === 'wide' ? manyNumbersWide(facts, count) : manyNumbersNarrow(facts, count);
}

function manyNumbersWide(facts: Facts, count: readonly DrawnMark[]): Drawing {
  const { t } = facts;
  const rows = shownRows(facts, MAX_ROWS.wide);
  const grid = gridOf(rows, allColumns(facts), WIDE_MATRIX);
  const { area, pitch } = grid;
  const yX = Math.max(area.x + area.w, GUTTER + 8) + 12;
  const xPlace = (col: number): Area => ({ ...grid.place(rows[0] ?? 0, col), y: 14, h: 13 });
  const labels = gridLabels(grid, rows.slice(0, 1)).map((mark) =>
    mark.id.startsWith('column ') ? { ...mark, y: -1 + 0.5 } : mark,
  );
  const top = area.y + area.h;
  const marks: Drawn[] = [
    words('x', { x: 0, y: 11 }, 'x', { strong: true, tone: 'ink' }),
    ...xMarks(facts, grid.cols, xPlace),
    ...labels,
    ...zerosAndWeights(facts, grid),
    ...rows.map((row, i) =>
      yMark(facts, row, { ...grid.place(row, 0), x: yX, w: 44, h: pitch.y - 3 }, { focus: i === 0 }),
    ),
  ];
  const links: DrawnLink[] = [];
  if (rows.length > 0) {
    const outline = { x: area.x - 2, y: area.y - 2, w: Math.max(4, area.w + 2), h: pitch.y + 1 };
    marks.push({ id: 'row outline', shape: 'frame', tone: 'ink', focus: true, ...outline });
    marks.push(words('y', { x: yX + 22, y: 11 }, 'y', { strong: true, tone: 'ink', align: 'middle' }));
    links.push({
      id: 'row to y',
      from: 'row outline',
      to: `y ${rows[0]}`,
      kind: 'curve',
      tone: 'neutral',
      arrow: true,
    });
  }
  const listsY = top + 22;
  const lists = { x: GUTTER, y: listsY, w: 300, h: 290 - listsY };
  marks.push(
    words('lists', { x: 0, y: top + 3 }, 'columns of each row', {
      size: 12,
      strong: true,
      tone: 'indices',
    }),
    columnLists(facts, rows, lists, 21.5),
    lines('why', { x: 388, y: top + 8 }, ['Each row times x gives one number.'], {
      tone: 'ink',
      strong: true,
    }),
    lines('why', { x: 388, y: top + 28 }, [denseText(facts), 'Without them, each row lists its columns.'], {
      tone: 'ink',
      size: 12.5,
    }).map((mark, i) => ({
      ...mark,
      id: `dense ${i}`,
    })),
    everywhereMarks(facts, { x: 388, y: top + 72 }),
    lines('unit', { x: 388, y: top + 112 }, [unitNote(facts)], { size: 11 }),
  );
  if (rows.length < t.window.rows)
    marks.push(lines('cut', { x: 388, y: top + 96 }, [`${rows.length} of ${t.window.rows} rows drawn.`], { size: 11 }));
  return drawingOf('wide', [...marks, ...count], links);
}

/** The numbers that every row writes down, large. */
function everywhereMarks(
  { everywhere, rows }: Facts,
  at: { readonly x: number; readonly y: number },
): readonly DrawnMark[] {
  if (everywhere.length === 0) return [];
  const shown = everywhere.slice(0, 12).join(' ') + (everywhere.length > 12 ? ' ...' : '');
  return [
    words(
      'repeated',
      at,
      [
        { text: shown, strong: true, tone: 'indices' },
        { text: `   ${everywhere.length === 1 ? 'stands' : 'stand'} in all ${inWords(rows)} lists` },
      ],
      { face: 'sans', size: 13.5 },
    ),
  ];
}

function manyNumbersNarrow(facts: Facts, count: readonly DrawnMark[]): Drawing {
  const rows = shownRows(facts, MAX_ROWS.narrow);
  const marks: Drawn[] = [];
  let y = 0;
  if (rows.length > 0) {
    const folded = allColumns(facts).slice(0, 2 * NARROW_COLUMNS);
    const own = new Set(facts.columns[rows[0]]);
    const pitch = NARROW.width / NARROW_COLUMNS;
    marks.push(words('row to multiply', { x: 0, y: 0 }, `x and row ${rows[0]}`, { size: 11.5 }));
    const place = (col: number, line: number): Area => ({
      x: (col % NARROW_COLUMNS) * pitch,
      y: 18 + Math.floor(col / NARROW_COLUMNS) * 46 + line * 20,
      w: pitch - 2,
      h: 18,
    });
    marks.push(xMarks(facts, folded, (col) => place(col, 0)));
    for (const col of folded) {
      marks.push(
        own.has(col) ? weight(facts, rows[0], col, place(col, 1)) : noWeight(rows[0], col, place(col, 1), 'padding'),
      );
    }
    y = folded.length === 0 ? 18 : place(folded[folded.length - 1], 1).y + 22;
    marks.push(
      words(
        'sum',
        { x: 0, y: y + 2 },
        [{ text: 'The row times x: ' }, { text: yText(facts.t.y[rows[0]]), strong: true, tone: 'ink' }],
        { size: 12.5 },
      ),
      words('hatched', { x: 0, y: y + 20, w: NARROW.width }, denseText(facts), { size: 12 }),
    );
    y += 56;
  }
  const lists = { x: NARROW_GUTTER, y: y + 20, w: NARROW.width - NARROW_GUTTER, h: 398 - y - 40 };
  marks.push(
    words('lists', { x: 0, y }, 'columns of each row', { size: 12, strong: true, tone: 'indices' }),
    columnLists(facts, rows, lists, 25),
    lines('unit', { x: 0, y: 390, w: NARROW.width }, [unitNote(facts)], { size: 10.5 }),
  );
  return drawingOf('narrow', [...marks, ...count]);
}

/** The matrix with two rows bright, and the others nearly white. */
export function pairGrid(
  facts: Facts,
  grid: Grid,
  bright: readonly number[],
  skip: (row: number, col: number) => boolean,
): readonly DrawnMark[] {
  const marks: DrawnMark[] = [];
  for (const row of grid.rows) {
    const own = new Set(facts.columns[row]);
    for (const col of grid.cols) {
      const place = grid.place(row, col);
      if (!own.has(col)) marks.push(noWeight(row, col, place, 'neutral'));
      else if (skip(row, col))
        marks.push({ id: `hole ${row},${col}`, shape: 'box', tone: 'neutral', state: 'ghost', ...place });
      else marks.push(weight(facts, row, col, place, bright.includes(row) ? {} : PALE));
    }
  }
  return marks;
}
