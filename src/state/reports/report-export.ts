import type { BenchReport, BenchRow } from '../../core/report.ts';

/** Reports as JSON for `importReport` and the command line; a ratio to a time of 0 ns is null. */
export function reportsToJson(reports: readonly BenchReport[]): string {
  const written = reports.map((report) => ({ ...report, rows: report.rows.map(finiteRow) }));
  return `${JSON.stringify(written.length === 1 ? written[0] : written, null, 2)}\n`;
}

/** The row without a speed and a ratio if a time of 0 ns makes them infinite: neither JSON nor a table can contain these. */
export function finiteRow(row: BenchRow): BenchRow {
  const { GBps, vsDense } = row;
  const ratios = vsDense === null ? [] : [vsDense.ratio, vsDense.p10, vsDense.p90];
  return {
    ...row,
    GBps: GBps !== null && Number.isFinite(GBps) ? GBps : null,
    vsDense: ratios.every((ratio) => Number.isFinite(ratio)) ? vsDense : null,
  };
}
