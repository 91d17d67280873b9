// Formats a benchmark report as text for the terminal.

import { largest } from '../src/core/number/statistics.ts';
import { OPERATIONS } from '../src/core/operations/index.ts';
import {
  ARITHMETIC_WORDS,
  type BenchReport,
  type BenchRow,
  PEAK_FIELDS,
  type TunedChoices,
} from '../src/core/report.ts';
import { describeFailure } from '../src/core/operations/verify.ts';

/** The number of columns before the measurements, whose cells are aligned on the left. */
const TEXT_COLUMNS = 3;

/** A report as text: its environment, a line per kernel, and what did not run. */
export function reportTable(report: BenchReport): string {
  const { workload, environment, clock } = report;
  const { adapter } = environment;
  const adapterName =
    [adapter.description, adapter.vendor, adapter.architecture].find((s) => s !== '') ?? 'unknown adapter';
  const lines = [
    `${operationText(workload)}${workload.rows} × ${workload.cols}, ${workload.source}, ${workload.nnz} non-zeros, ${workload.memory}, ${workload.rounds} rounds`,
    `${adapterName}; ${environment.runtime}; ${clock.source}, step ${clock.quantumNs} ns` +
      (report.readBandwidthGBps === null ? '' : `; read bandwidth ${speedText(report.readBandwidthGBps)} GB/s`) +
      (report.peakGFMAps === undefined ? '' : `; peak ${speedText(report.peakGFMAps)} GFMA/s`) +
      (report.peakI8GMAps === undefined ? '' : `; peak in i8 ${speedText(report.peakI8GMAps)} GMA/s`) +
      (report.peakI8MatrixGMAps === undefined
        ? ''
        : `; peak in ${ARITHMETIC_WORDS['i8-matrix']} ${speedText(report.peakI8MatrixGMAps)} GMA/s`) +
      (report.nullDispatchNs === null ? '' : `; empty dispatch ${(report.nullDispatchNs / 1e3).toFixed(2)} µs`),
  ];
  // Reports count multiply-adds only where arithmetic may be the limit.
  const hasArithmetic = report.rows.some((row) => row.multiplyAdds !== undefined);
  const columns = [
    ...COLUMNS.filter(({ isArithmetic }) => !isArithmetic || hasArithmetic),
    ...(environment.isFallback ? [SOFTWARE_COLUMN] : []),
  ];
  const table = [
    ['kernel', 'params', 'verified', ...columns.map(({ head }) => head)],
    ...report.rows.map((row) => [...nameCells(row), ...columns.map(({ cell }) => cell(row, report))]),
  ];
  const widths = table[0].map((_, column) => largest(table.map((cells) => cells[column].length)));
  for (const cells of table) {
    lines.push(
      cells
        .map((cell, i) => (i < TEXT_COLUMNS ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  ')
        .trimEnd(),
    );
  }
  for (const row of report.rows)
    if (!row.verified.ok) lines.push(`WRONG ${row.kernel}: ${describeFailure(row.verified)}`);
  for (const { kernel, format, params = {}, reason, failed } of report.refused) {
    const name = [kernel === '' ? format : kernel, ...Object.values(params)].join(' ');
    lines.push(`${failed ? 'FAILED' : 'not run'} ${name}: ${reason}`);
  }
  for (const { kernel, tuned } of report.rows) if (tuned) lines.push(`tuned ${kernel}: ${tunedText(tuned)}`);
  for (const note of report.notes) lines.push(`note: ${note}`);
  return lines.join('\n');
}

/** The tuned numbers of a kernel: 'shares 4224, lanes 512; 1.042 times the speed of shares 4096, lanes 1024, by 18 settings'. */
function tunedText({ chosen, start, gain, tried, remembered }: TunedChoices): string {
  const text = (numbers: TunedChoices['chosen']): string =>
    Object.entries(numbers)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
  const origin = remembered ? 'remembered' : `by ${tried} settings`;
  return text(chosen) === text(start)
    ? `${text(chosen)}, as without a trial, ${origin}`
    : `${text(chosen)}; ${gain.toFixed(3)} times the speed of ${text(start)}, ${origin}`;
}

interface Column {
  readonly head: string;
  /** the text of a cell; empty if the value was not measured */
  readonly cell: (row: BenchRow, report: BenchReport) => string;
  /** whether the column is only for reports with multiply-adds */
  readonly isArithmetic?: true;
}

const microseconds = (ns: number | null): string => (ns === null ? '' : (ns / 1e3).toFixed(2));
const percentage = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)} %`;
/** Multiply-adds per nanosecond. */
const multiplyAddsPerNs = ({ multiplyAdds, medianNs }: BenchRow): number | null =>
  multiplyAdds === undefined || medianNs === null ? null : multiplyAdds / medianNs;

/** The measurements of a kernel, in the order of the columns. */
const COLUMNS: readonly Column[] = [
  { head: 'us', cell: (row) => microseconds(row.medianNs) },
  { head: 'p10', cell: (row) => microseconds(row.p10Ns) },
  { head: 'p90', cell: (row) => microseconds(row.p90Ns) },
  { head: 'GB/s', cell: (row) => (row.GBps === null ? '' : speedText(row.GBps)) },
  {
    head: 'of read',
    cell: ({ GBps, cached }, { readBandwidthGBps }) =>
      GBps === null || readBandwidthGBps === null
        ? ''
        : `${percentage(GBps, readBandwidthGBps)}${cached ? ' cached' : ''}`,
  },
  {
    head: 'GFMA/s',
    isArithmetic: true,
    cell(row) {
      const perNs = multiplyAddsPerNs(row);
      return perNs === null ? '' : speedText(perNs);
    },
  },
  {
    head: 'of peak',
    isArithmetic: true,
    cell(row, report) {
      const perNs = multiplyAddsPerNs(row);
      const peak = report[PEAK_FIELDS[row.arithmetic ?? 'f32']];
      return perNs === null || peak === undefined ? '' : percentage(perNs, peak);
    },
  },
  { head: 'vs dense', cell: ({ vsDense }) => vsDense?.ratio.toFixed(3) ?? '' },
  { head: 'p10', cell: ({ vsDense }) => vsDense?.p10.toFixed(3) ?? '' },
  { head: 'p90', cell: ({ vsDense }) => vsDense?.p90.toFixed(3) ?? '' },
  { head: 'runs', cell: ({ medianNs, runsPerSample }) => (medianNs === null ? '' : String(runsPerSample)) },
  { head: 'copies', cell: ({ medianNs, copies }) => (medianNs === null ? '' : String(copies)) },
];

/** The column that marks every time measured on a software adapter. */
const SOFTWARE_COLUMN: Column = { head: '', cell: ({ medianNs }) => (medianNs === null ? '' : 'software') };

/**
 * The first cells of a row: kernel, parameters and verification. A correct kernel has its largest error as a share of the
 * error bound, and the number of compared outputs if not all were compared.
 */
function nameCells({ kernel, params, verified }: BenchRow): string[] {
  const compared = verified.compared === undefined ? '' : ` of ${verified.compared}`;
  return [
    kernel,
    Object.values(params).join(' '),
    verified.ok ? `ok ${verified.worstShare.toPrecision(2)}${compared}` : 'WRONG',
  ];
}

/** The operation with its formula and sizes: 'gemm Y = X Aᵀ, tokens 256; '. */
function operationText({ operation, sizes = {} }: BenchReport['workload']): string {
  const formula = OPERATIONS.find((o) => o.id === operation)?.title ?? '';
  const sizeTexts = Object.entries(sizes).map(([name, size]) => `${name} ${size}`);
  return `${[`${operation} ${formula}`.trim(), ...sizeTexts].join(', ')}; `;
}

/** A speed with three significant digits, or all digits before the decimal point. */
function speedText(speed: number): string {
  return speed >= 100 ? speed.toFixed(0) : speed.toPrecision(3);
}
