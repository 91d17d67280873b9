import type { BenchReport, BenchRow } from '../src/core/report.ts';
import { describeFailure } from '../src/core/verify.ts';

/** A report as text: what it was measured on, a line per kernel, and what did not run. */
export function reportTable(report: BenchReport): string {
  const { workload, environment, clock } = report;
  const { adapter } = environment;
  const where = [adapter.description, adapter.vendor, adapter.architecture].find((s) => s !== '') ?? 'unknown adapter';
  const lines = [
    `${workload.rows} x ${workload.cols}, ${workload.source}, ${workload.nnz} non-zeros, ${workload.memory}, ${workload.rounds} rounds`,
    `${where}; ${environment.runtime}; ${clock.source}, step ${clock.quantumNs} ns` +
      (report.readBandwidthGBps === null ? '' : `; read bandwidth ${speed(report.readBandwidthGBps)} GB/s`) +
      (report.nullDispatchNs === null ? '' : `; empty dispatch ${(report.nullDispatchNs / 1e3).toFixed(2)} us`),
  ];
  const table = [
    ['kernel', 'params', 'verified', 'us', 'p10', 'p90', 'GB/s', 'of read', 'vs dense', 'p10', 'p90', 'runs', 'copies'],
    ...report.rows.map((row) => rowCells(row, report.readBandwidthGBps)),
  ];
  const widths = table[0].map((_, column) => Math.max(...table.map((cells) => cells[column].length)));
  for (const cells of table) {
    lines.push(
      cells
        .map((cell, i) => (i < 3 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  ')
        .trimEnd(),
    );
  }
  for (const row of report.rows)
    if (!row.verified.ok) lines.push(`WRONG ${row.kernel}: ${describeFailure(row.verified)}`);
  for (const { kernel, format, reason, failed } of report.refused) {
    lines.push(`${failed ? 'FAILED' : 'not run'} ${kernel === '' ? format : kernel}: ${reason}`);
  }
  for (const note of report.notes) lines.push(`note: ${note}`);
  return lines.join('\n');
}

function rowCells(row: BenchRow, readBandwidthGBps: number | null): string[] {
  const params = Object.values(row.params).join(' ');
  const verified = row.verified.ok ? `ok ${row.verified.worstShare.toPrecision(2)}` : 'WRONG';
  if (row.medianNs === null || row.p10Ns === null || row.p90Ns === null || row.GBps === null) {
    return [row.kernel, params, verified, ...Array.from({ length: 10 }, () => '')];
  }
  const us = (ns: number): string => (ns / 1e3).toFixed(2);
  return [
    row.kernel,
    params,
    verified,
    us(row.medianNs),
    us(row.p10Ns),
    us(row.p90Ns),
    speed(row.GBps),
    readBandwidthGBps === null
      ? ''
      : `${((100 * row.GBps) / readBandwidthGBps).toFixed(0)} %${row.cached ? ' cached' : ''}`,
    ...(row.vsDense ? [row.vsDense.ratio, row.vsDense.p10, row.vsDense.p90].map((r) => r.toFixed(3)) : ['', '', '']),
    String(row.runsPerSample),
    String(row.copies),
  ];
}

function speed(GBps: number): string {
  return GBps >= 100 ? GBps.toFixed(0) : GBps.toPrecision(3);
}
