import { QUESTION_BOUNDS } from '../core/bounds/bounds.ts';
import { clip } from '../core/bounds/check.ts';
import { CsrMatrix } from '../core/matrix/index.ts';
import { LessonError } from './lesson.ts';

interface Cell {
  readonly col: number;
  readonly value: number;
}

/** A matrix as typed by somebody: a row per line, numbers separated by spaces or commas. Throws LessonError. */
export function readTyped(text: string): CsrMatrix {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new LessonError('matrix: found nothing, expected a row of numbers in each line');
  const rows = lines.map((line, i) =>
    line
      .trim()
      .split(/[\s,;]+/)
      .map((word) => {
        const value = Number(word.replace('\u2212', '-'));
        if (word !== '' && isStored(value)) return value;
        throw new LessonError(
          `matrix: found '${clip(word)}' in line ${i + 1}, expected ${word !== '' && Number.isFinite(value) ? 'what f32 holds' : 'a number'}`,
        );
      }),
  );
  const cols = rows[0].length;
  const uneven = rows.findIndex((row) => row.length !== cols);
  if (uneven >= 0) {
    throw new LessonError(
      `matrix: found ${rows[uneven].length} numbers in line ${uneven + 1}, expected ${cols} as in line 1`,
    );
  }
  checkShape(rows.length, cols);
  return assemble(
    cols,
    rows.map((row) => row.flatMap((value, col) => (value === 0 ? [] : [{ col, value }]))),
  );
}

/** The same matrix as text for editing. */
export function typedText(m: CsrMatrix): string {
  return cellsOf(m)
    .map((cells) => {
      const values = new Map(cells.map(({ col, value }) => [col, shortText(value)]));
      return Array.from({ length: m.cols }, (_, col) => values.get(col) ?? '0').join(' ');
    })
    .join('\n');
}

/** The non-zeros in the form of an address, a row after each comma: '1:0.5;4:-2,,0:1'. */
export function cellsText(m: CsrMatrix): string {
  return cellsOf(m)
    .map((cells) => cells.map(({ col, value }) => `${col}:${shortText(value)}`).join(';'))
    .join(',');
}

/** The matrix of such a text. Throws LessonError. */
export function readCells(text: string, rows: number, cols: number): CsrMatrix {
  checkShape(rows, cols);
  const lines = text.split(',');
  if (lines.length !== rows) throw new LessonError(`own: found ${lines.length} rows, expected ${rows}`);
  const cells = lines.map((line, row) => {
    let last = -1;
    return (line === '' ? [] : line.split(';')).map((cell): Cell => {
      const [, colText, valueText] = /^(\d+):(-?[\d.]+(?:e[+-]?\d+)?)$/.exec(cell) ?? [];
      const col = Number(colText);
      const value = Number(valueText);
      if (colText === undefined || col <= last || col >= cols || !isStored(value) || value === 0) {
        throw new LessonError(
          `own: found '${clip(cell)}' in row ${row}, expected a column below ${cols}, ascending, and a value`,
        );
      }
      last = col;
      return { col, value };
    });
  });
  return assemble(cols, cells);
}

function checkShape(rows: number, cols: number): void {
  const { side } = QUESTION_BOUNDS;
  if (rows >= 1 && cols >= 1 && rows <= side && cols <= side) return;
  throw new LessonError(`matrix: found ${rows} × ${cols}, expected at most ${side} × ${side}`);
}

/** Whether a value is finite in f32, and 0 only if it is 0. */
function isStored(value: number): boolean {
  const stored = Math.fround(value);
  return Number.isFinite(stored) && (stored !== 0 || value === 0);
}

/**
 * Four digits are enough to follow a sum by eye, and keep a link short; the largest numbers would be rounded to
 * infinity.
 */
function shortText(value: number): string {
  const short = Number(value.toPrecision(4));
  return String(isStored(short) ? short : value);
}

function cellsOf({ rows, indptr, indices, data }: CsrMatrix): readonly (readonly Cell[])[] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: indptr[row + 1] - indptr[row] }, (__, i) => ({
      col: indices[indptr[row] + i],
      value: data[indptr[row] + i],
    })),
  );
}

function assemble(cols: number, rows: readonly (readonly Cell[])[]): CsrMatrix {
  const all = rows.flat();
  const indptr = new Uint32Array(rows.length + 1);
  rows.forEach((cells, row) => (indptr[row + 1] = indptr[row] + cells.length));
  return new CsrMatrix({
    rows: rows.length,
    cols,
    indptr,
    indices: Uint32Array.from(all, ({ col }) => col),
    data: Float32Array.from(all, ({ value }) => value),
  });
}
