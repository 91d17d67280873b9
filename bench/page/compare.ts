import type { BenchReport, BenchRow } from '../../src/core/report.ts';

/** Tolerance for speeds relative to dense between the page and the command line. */
export const TOLERANCE = 0.05;

/** A kernel that ran on both. */
export interface ComparedKernel {
  readonly kernel: string;
  readonly params: string;
  /** speed relative to dense in the same run */
  readonly page: number;
  readonly commandLine: number;
}

/** Kernels with a time in both reports, without dense, which is 1 in both. */
export function compareReports(page: BenchReport, commandLine: BenchReport): readonly ComparedKernel[] {
  const keyOf = ({ kernel, params }: BenchRow): string => {
    const names = Object.keys(params).toSorted();
    return JSON.stringify([kernel, ...names.map((name) => [name, params[name]])]);
  };
  const others = new Map(commandLine.rows.map((row) => [keyOf(row), row.vsDense?.ratio]));
  return page.rows.flatMap((row) => {
    const other = others.get(keyOf(row));
    const ratio = row.vsDense?.ratio;
    // The reference itself is 1 by definition.
    if (ratio === undefined || other === undefined || (ratio === 1 && other === 1)) return [];
    const params = Object.values(row.params).join(' ');
    return [{ kernel: row.kernel, params, page: ratio, commandLine: other }];
  });
}

/** The difference of the two, as a share of the command line's. */
export function differenceOf({ page, commandLine }: ComparedKernel): number {
  return page / commandLine - 1;
}

/** A line per kernel; large differences are marked. */
export function comparisonText(kernels: readonly ComparedKernel[]): string {
  return kernels
    .map((one) => {
      const difference = differenceOf(one);
      const mark = Math.abs(difference) > TOLERANCE ? '  <-- too far apart' : '';
      const percent = `${difference < 0 ? '' : '+'}${(100 * difference).toFixed(1)} %`;
      return `${`${one.kernel} ${one.params}`.padEnd(52)} page ${one.page.toFixed(3)}  command line ${one.commandLine.toFixed(3)}  ${percent}${mark}`;
    })
    .join('\n');
}
