/** The content of a cell; null: empty. */
export type CsvCell = string | number | boolean | null;

/** Beginnings of texts that a spreadsheet runs as formulas: some skip spaces, some accept full-width signs. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** Characters that need quotes: commas, quotes, line ends, and separators that some programs use by default. */
const QUOTED = /[",;\t\r\n]/;

/**
 * A line of a CSV (RFC 4180) with its line end, CRLF; cells are in quotes where they have to be. A text that a
 * spreadsheet would run as a formula gets an apostrophe in front, so that it is shown. Numbers stay numbers.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${csvCells(cells)}\r\n`;
}

/** A part of a line of a CSV, for lines that have cells in common. */
export function csvCells(cells: readonly CsvCell[]): string {
  return cells.map(cellText).join(',');
}

function cellText(value: CsvCell): string {
  if (value === null) return '';
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
