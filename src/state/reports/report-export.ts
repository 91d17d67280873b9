import type { BenchReport, BenchRow } from '../../core/report.ts';

/** Reports as JSON, to be imported by the page or read by the command line; a ratio to a time of 0 ns is null. */
export function reportsToJson(reports: readonly BenchReport[]): string {
  const written = reports.map((report) => ({ ...report, rows: report.rows.map(finiteRow) }));
  return `${JSON.stringify(written.length === 1 ? written[0] : written, null, 2)}\n`;
}

/** The row, with null for a speed or a ratio that a time of 0 ns makes infinite: JSON has no infinity. */
export function finiteRow(row: BenchRow): BenchRow {
  const { GBps, vsDense } = row;
  const ratios = vsDense === null ? [] : [vsDense.ratio, vsDense.p10, vsDense.p90];
  return {
    ...row,
    GBps: GBps !== null && Number.isFinite(GBps) ? GBps : null,
    vsDense: ratios.every((ratio) => Number.isFinite(ratio)) ? vsDense : null,
  };
}
