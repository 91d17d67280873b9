import { counted } from '../core/text/words.ts';
import { clip } from '../core/bounds/quote.ts';
import type { CsrMatrix } from '../core/matrix/index.ts';
import {
  cellRows,
  checkCellsShape,
  fitsF32,
  matrixOfCells,
  readCells as readCellsOf,
} from '../core/cells/edited-cells.ts';
import { exactText, readLinkCells } from '../core/cells/link-cells.ts';
import { messageOf } from '../core/error-messages.ts';
import type { AppDocument } from '../state/index.ts';
import { LessonError } from './lesson.ts';

/** Parses a matrix that a user typed: a row per line, numbers separated by spaces or commas. Throws LessonError. */
export function readTyped(text: string): CsrMatrix {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new LessonError('matrix: found nothing, expected a row of numbers in each line');
  const rows = lines.map((line, i) =>
    line
      .trim()
      .split(/[\s,;]+/)
      .map((word) => {
        const value = Number(word.replace('\u2212', '-'));
        if (word !== '' && fitsF32(value)) return value;
        throw new LessonError(
          `matrix: found '${clip(word)}' in line ${i + 1}, expected ${word !== '' && Number.isFinite(value) ? 'a number in the range of f32' : 'a number'}`,
        );
      }),
  );
  const cols = rows[0].length;
  const uneven = rows.findIndex((row) => row.length !== cols);
  if (uneven >= 0) {
    throw new LessonError(
      `matrix: found ${counted(rows[uneven].length, 'number')} in line ${uneven + 1}, expected ${cols} as in line 1`,
    );
  }
  asLessonError(() => checkCellsShape(rows.length, cols));
  return matrixOfCells(
    cols,
    rows.map((row) => row.flatMap((value, col) => (value === 0 ? [] : [{ col, value }]))),
  );
}

/** The text of a matrix, as `readTyped` reads it, for editing. */
export function typedText(m: CsrMatrix): string {
  return cellRows(m)
    .map((cells) => {
      const values = new Map(cells.map(({ col, value }) => [col, exactText(value)]));
      return Array.from({ length: m.cols }, (_, col) => values.get(col) ?? '0').join(' ');
    })
    .join('\n');
}

type CellsSource = Extract<AppDocument['source'], { readonly kind: 'cells' }>;

/** The matrix of a link that contains its cells. Throws LessonError. */
export function typedMatrix({ cells, rows, cols }: CellsSource): CsrMatrix {
  return asLessonError(() => readLinkCells(cells, rows, cols));
}

/** Reads a matrix from the text of its cells in an address. Throws LessonError. */
export function readCells(text: string, rows: number, cols: number): CsrMatrix {
  return asLessonError(() => readCellsOf(text, rows, cols));
}

/** The result of `read`. An error that it throws becomes a LessonError with the same message. */
function asLessonError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new LessonError(messageOf(error));
  }
}
