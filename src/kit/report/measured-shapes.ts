import { isNearDensity } from '../../core/matrix/index.ts';
import type { BenchReport, BenchRow } from '../../core/report.ts';
import type { ShapeGroup } from '../../theory/models/model-shape.ts';
import { formats } from '../../formats/catalog.ts';
import type { FormatParams } from '../../state/index.ts';
import { fastestRow, type FormatQuery, RANDOM_PATTERNS, rejectionOf } from './matrix-times.ts';

/** A query for the times of a shape at any density, in the reports of a device that is not a software adapter. */
export interface ShapeQuery {
  /** id: 'spmv' for one token, 'gemm' for several */
  readonly operation: string;
  readonly tokens: number;
  readonly stored: KernelQuery; // the format that is compared with dense
  readonly dense: KernelQuery;
  /** the format has a kernel for the operation; if not, only dense is looked up */
  readonly hasKernel: boolean;
  /** name of the device of the reports */
  readonly device: string;
}

/** A query for one density. */
export interface DensityQuery extends ShapeQuery {
  readonly density: number;
}

/** The kernels of a format with these parameters. */
interface KernelQuery {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Measurements of one shape. */
export interface MeasuredShape {
  readonly dense: BenchRow | null;
  readonly stored: BenchRow | null;
  /** why the format has no time although it was tried */
  readonly rejection: string | null;
  readonly report: BenchReport;
}

/** Measurements of a shape at a density, the newest in the format (time or rejection), else of dense; null if none. */
export function measuredShape(
  reports: readonly BenchReport[],
  { rows, cols, keptDense }: Pick<ShapeGroup, 'rows' | 'cols' | 'keptDense'>,
  query: DensityQuery,
): MeasuredShape | null {
  const isDenseAlone = keptDense || !query.hasKernel;
  let denseOnly: MeasuredShape | null = null;
  for (const report of reports) {
    if (report.workload.rows !== rows || report.workload.cols !== cols || !isAnswer(report, query)) continue;
    const dense = timeIn(report, query.dense);
    const isAtDensity = isNearDensity(report.workload.density, query.density);
    const concernsFormat = isAtDensity && !isDenseAlone;
    const stored = concernsFormat ? timeIn(report, query.stored) : null;
    const rejection = concernsFormat && !stored ? rejectionOf(report, queryOf(query.stored)) : null;
    const measured = { dense, stored, rejection, report };
    if (isDenseAlone ? dense : stored || rejection !== null) return measured;
    if (dense && isAtDensity) denseOnly ??= measured;
  }
  return denseOnly;
}

/** The densities at which a shape was measured in the format, ascending. O(reports). */
export function measuredDensities(
  reports: readonly BenchReport[],
  { rows, cols }: Pick<ShapeGroup, 'rows' | 'cols'>,
  query: ShapeQuery,
): readonly number[] {
  const densities = new Set<number>();
  for (const report of reports) {
    const { workload } = report;
    if (workload.rows !== rows || workload.cols !== cols || !isAnswer(report, query)) continue;
    if (timeIn(report, query.stored)) densities.add(Math.round(workload.density * 1000) / 1000);
  }
  return [...densities].toSorted((a, b) => a - b);
}

/** Whether any of these shapes was measured, at any density. O(reports × shapes). */
export function hasTimes(
  reports: readonly BenchReport[],
  groups: readonly Pick<ShapeGroup, 'rows' | 'cols'>[],
  query: ShapeQuery,
): boolean {
  return reports.some(
    (report) =>
      isAnswer(report, query) &&
      groups.some(({ rows, cols }) => rows === report.workload.rows && cols === report.workload.cols) &&
      timeIn(report, query.hasKernel ? query.stored : query.dense) !== null,
  );
}

/** Whether a report timed the operation of a query on a GPU, on a random matrix and cold: with nothing in a cache. */
function isAnswer({ environment, workload, rows }: BenchReport, { operation, tokens }: ShapeQuery): boolean {
  return (
    !environment.isFallback &&
    workload.operation === operation &&
    (workload.sizes?.tokens ?? 1) === tokens &&
    workload.memory === 'cold' &&
    RANDOM_PATTERNS.some((pattern) => workload.source.startsWith(`${pattern}, `)) &&
    rows.some((row) => row.where === 'gpu' && row.medianNs !== null)
  );
}

function timeIn(report: BenchReport, query: KernelQuery): BenchRow | null {
  return fastestRow(report, queryOf(query))?.row ?? null;
}

function queryOf({ format, params }: KernelQuery): FormatQuery {
  return { format, params: params as FormatParams, spec: formats.find(({ id }) => id === format)?.params ?? {} };
}
