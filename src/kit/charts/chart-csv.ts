import { csvLine } from '../../core/reports/csv-line.ts';

/** The figures of a chart as a table, with a row for each position along the chart's axis. */
export interface ChartTable {
  /** the head of each column */
  readonly head: readonly string[];
  readonly rows: readonly ChartRow[];
}

interface ChartRow {
  /** text of the first column */
  readonly name: string;
  /** texts of the other columns */
  readonly cells: readonly string[];
  /** the row in the CSV: name, then numbers; null: an empty cell. Default: the texts */
  readonly values?: readonly (number | string | null)[];
}

/** The table as CSV. */
export function tableCsv({ head, rows }: ChartTable): string {
  return [head, ...rows.map(({ name, cells, values }) => values ?? [name, ...cells])].map(csvLine).join('');
}
