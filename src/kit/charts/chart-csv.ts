import { csvLine } from '../../core/reports/csv-line.ts';

/** The figures of a chart: a row for each position along its axis. The texts are for people, `values` for programs. */
export interface ChartFigures {
  /** the heads of the first column and of the others */
  readonly head: readonly string[];
  readonly rows: readonly ChartRow[];
}

interface ChartRow {
  readonly name: string;
  readonly cells: readonly string[];
  /** the same as numbers for the CSV, the name first; null for none. Default: the texts */
  readonly values?: readonly (number | string | null)[];
}

/** Figures as CSV. */
export function figuresCsv({ head, rows }: ChartFigures): string {
  return [head, ...rows.map(({ name, cells, values }) => values ?? [name, ...cells])].map(csvLine).join('');
}
