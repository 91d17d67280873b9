import { finiteRow } from '../../core/reports/report-csv.ts';
import type { BenchReport } from '../../core/report.ts';

/** Reports as JSON, to be imported by the page or read by the command line; a ratio to a time of 0 ns is null. */
export function reportsToJson(reports: readonly BenchReport[]): string {
  const written = reports.map((report) => ({ ...report, rows: report.rows.map(finiteRow) }));
  return `${JSON.stringify(written.length === 1 ? written[0] : written, null, 2)}\n`;
}
