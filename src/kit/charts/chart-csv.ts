import { csvLine } from '../../core/reports/csv-line.ts';

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

/** Figures as CSV. */
export function figuresCsv({ head, rows }: ChartFigures): string {
  return [head, ...rows.map(({ name, cells, values }) => values ?? [name, ...cells])].map(csvLine).join('');
}
