import type { BenchReport, BenchRow } from '../report.ts';
import { type CsvCell, csvCells, csvLine } from './csv-line.ts';

// Reports of benchmarks as CSV, a line for each sample (one timing of a kernel).

/** The columns in order; units are in the names, as in the report. */
const COLUMNS: readonly (readonly [name: string, value: (report: BenchReport, row: BenchRow) => CsvCell])[] = [
  ['createdAt', (r) => r.createdAt],
  ['app', (r) => r.app],
  ['adapterVendor', (r) => r.environment.adapter.vendor],
  ['adapterArchitecture', (r) => r.environment.adapter.architecture],
  ['adapterDescription', (r) => r.environment.adapter.description],
  ['isFallback', (r) => r.environment.isFallback],
  ['runtime', (r) => r.environment.runtime],
  ['clock', (r) => r.clock.source],
  ['clockQuantumNs', (r) => r.clock.quantumNs],
  ['readBandwidthGBps', (r) => r.readBandwidthGBps],
  ['peakGFMAps', (r) => r.peakGFMAps ?? null],
  ['peakI8GMAps', (r) => r.peakI8GMAps ?? null],
  ['peakI8MatrixGMAps', (r) => r.peakI8MatrixGMAps ?? null],
  ['nullDispatchNs', (r) => r.nullDispatchNs],
  ['operation', (r) => r.workload.operation],
  ['sizes', (r) => (r.workload.sizes ? JSON.stringify(r.workload.sizes) : null)],
  ['source', (r) => r.workload.source],
  ['rows', (r) => r.workload.rows],
  ['cols', (r) => r.workload.cols],
  ['nnz', (r) => r.workload.nnz],
  ['density', (r) => r.workload.density],
  ['seed', (r) => r.workload.seed],
  ['memory', (r) => r.workload.memory],
  ['where', (_, row) => row.where],
  ['format', (_, row) => row.format],
  ['params', (_, row) => JSON.stringify(row.params)],
  ['kernel', (_, row) => row.kernel],
  ['draftOf', (_, row) => row.draft?.of ?? null],
  ['draftName', (_, row) => row.draft?.name ?? null],
  ['draftVersion', (_, row) => row.draft?.version ?? null],
  ['tuned', (_, row) => (row.tuned ? JSON.stringify(row.tuned.chosen) : null)],
  ['bytes', (_, row) => row.bytes],
  ['verified', (_, row) => row.verified.ok],
  ['outputs', (_, row) => row.verified.outputs],
  ['compared', (_, row) => row.verified.compared ?? row.verified.outputs],
  ['worstShare', (_, row) => row.verified.worstShare],
  ['failureCount', (_, row) => row.verified.failureCount],
  ['medianNs', (_, row) => row.medianNs],
  ['p10Ns', (_, row) => row.p10Ns],
  ['p90Ns', (_, row) => row.p90Ns],
  ['GBps', (_, row) => row.GBps],
  ['multiplyAdds', (_, row) => row.multiplyAdds ?? null],
  ['arithmetic', (_, row) => row.arithmetic ?? 'f32'],
  [
    'GFMAps',
    (_, { multiplyAdds, medianNs }) => (multiplyAdds === undefined || !medianNs ? null : multiplyAdds / medianNs),
  ],
  ['cached', (_, row) => row.cached],
  ['vsDense', (_, row) => row.vsDense?.ratio ?? null],
  ['vsDenseP10', (_, row) => row.vsDense?.p10 ?? null],
  ['vsDenseP90', (_, row) => row.vsDense?.p90 ?? null],
  ['vsDenseReference', (_, row) => row.vsDense?.reference ?? null],
  ['vsDenseValueType', (_, row) => row.vsDense?.valueType ?? null],
  ['runsPerSample', (_, row) => row.runsPerSample],
  ['copies', (_, row) => row.copies],
  ['encodeMs', (_, row) => row.encodeMs],
  ['uploadMs', (_, row) => row.uploadMs],
  ['compileMs', (_, row) => row.compileMs],
  ['firstDispatchMs', (_, row) => row.firstDispatchMs],
  ['storedBytes', (_, row) => row.storedBytes ?? null],
];

/**
 * A header line, then a line per sample with the data of its kernel and run. A kernel without samples has one line,
 * with `round` and `sampleNs` empty; a rejected kernel has none. Speed and ratio are empty if a time is 0 ns.
 */
export function reportsToCsv(reports: readonly BenchReport[]): string {
  const lines: string[] = [csvLine([...COLUMNS.map(([name]) => name), 'round', 'sampleNs'])];
  for (const report of reports) {
    for (const row of report.rows.map(finiteRow)) {
      const shared = csvCells(COLUMNS.map(([, value]) => value(report, row)));
      if (row.samplesNs.length === 0) lines.push(`${shared},,\r\n`);
      row.samplesNs.forEach((sample, i) => lines.push(`${shared},${csvLine([row.rounds?.[i] ?? i, sample])}`));
    }
  }
  return lines.join('');
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
