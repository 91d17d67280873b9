/** The figures of a chart: a line for each place along its axis. Texts for people, `values` for programs. */
export interface ChartFigures {
  /** of the first column, then of the others */
  readonly head: readonly string[];
  readonly rows: readonly ChartRow[];
}

interface ChartRow {
  readonly name: string;
  readonly cells: readonly string[];
  /** the same as numbers for the CSV, the name's first; null for none. Default: the texts */
  readonly values?: readonly (number | string | null)[];
}

/** Figures as CSV (RFC 4180): CRLF between lines, cells in quotes where they have to be. */
export function figuresCsv({ head, rows }: ChartFigures): string {
  const lines = [head, ...rows.map(({ name, cells, values }) => values ?? [name, ...cells])];
  return lines.map((line) => `${line.map(cellText).join(',')}\r\n`).join('');
}

function cellText(value: number | string | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
