import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { resolvedParams } from '../../../core/format.ts';
import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import { specText } from '../../../generate/spec.ts';
import { answeringReports } from '../../../kit/words/no-card.ts';
import { speedOf } from '../../../kit/words/speed-of.ts';
import { measuredShape } from '../../../kit/report/measured-shapes.ts';
import type { Way } from './ways.ts';

/** A run's result for a format with these parameters. */
export interface MeasuredRow {
  readonly row: BenchRow;
  readonly speed: { readonly ratio: number; readonly p10: number; readonly p90: number } | null;
  /** share of the device's read speed, 0 to 1; null if that was not measured */
  readonly ofRead: number | null;
  /** of a random matrix with the shape and density of this one */
  readonly isAlike?: true;
}

/** A report names the matrix on the stage as the page does, and a generated workload by its spec. */
type MeasuredMatrix = Pick<MatrixSummary, 'name' | 'rows' | 'cols' | 'nnz' | 'density'> &
  Partial<Pick<MatrixSummary, 'source' | 'sampledRows'>>;

type Looked = Pick<BenchReport, 'environment' | 'workload' | 'rows' | 'readBandwidthGBps'>;

export interface Asked {
  readonly operation: string;
  readonly tokens: number;
}

/**
 * Per row's key, the fastest verified kernel, or a wrong one, of the newest run on this matrix; of software adapters only
 * the verification, where no card has run it.
 */
export function timesOfMatrix(
  reports: readonly Looked[],
  matrix: MeasuredMatrix,
  ways: readonly Way[],
  { operation, tokens }: Asked,
): ReadonlyMap<string, MeasuredRow> {
  const found = new Map<string, MeasuredRow>();
  const { source, name } = matrix;
  const names = source?.kind === 'generated' ? [name, specText(source.spec)] : [name];
  const inSoftware = reports.filter(({ environment }) => environment.isFallback);
  const wanted = ways.map((way) => ({ way, params: resolvedParams(way.format.params, way.stored.params, matrix) }));
  for (const { environment, workload, rows: all, readBandwidthGBps } of [...answeringReports(reports), ...inSoftware]) {
    const isThis =
      workload.operation === operation &&
      (workload.sizes?.tokens ?? 1) === tokens &&
      names.includes(workload.source) &&
      workload.rows === matrix.rows &&
      workload.cols === matrix.cols &&
      hasAsMany(workload, matrix);
    if (!isThis) continue;
    const newer = new Set(found.keys());
    const rows = environment.isFallback ? all.map(untimed) : all;
    for (const row of rows) {
      if (row.draft) continue;
      const own = wanted.find(
        ({ way, params }) =>
          way.format.id === row.format &&
          Object.entries(params).every(([param, value]) => (row.params[param] ?? value) === value),
      );
      if (!own || newer.has(own.way.key)) continue;
      const before = found.get(own.way.key)?.row;
      if (before && (before.medianNs ?? Infinity) <= (row.medianNs ?? Infinity)) continue;
      found.set(own.way.key, measuredRow(row, readBandwidthGBps));
    }
  }
  return found;
}

/** Whether a run's matrix has as many non-zeros; of stand-in weights, which are not made whole here, about as many. */
function hasAsMany({ nnz }: BenchReport['workload'], matrix: MeasuredMatrix): boolean {
  return nnz === matrix.nnz || (matrix.sampledRows !== undefined && Math.abs(nnz - matrix.nnz) < 0.005 * matrix.nnz);
}

/**
 * The same of random matrices with the shape and the density of this one: where it is nothing but such a matrix itself.
 */
export function timesOfShape(
  reports: readonly BenchReport[],
  matrix: MeasuredMatrix,
  ways: readonly Way[],
  { operation, tokens }: Asked,
  reference: Way,
): ReadonlyMap<string, MeasuredRow> {
  const found = new Map<string, MeasuredRow>();
  for (const way of ways) {
    const shape = measuredShape(
      reports,
      { ...matrix, keptDense: false },
      {
        operation,
        tokens,
        stored: way.stored,
        dense: reference.stored,
        able: true,
        device: '',
        density: matrix.density,
      },
    );
    if (shape?.stored) found.set(way.key, { ...measuredRow(shape.stored, shape.readBandwidthGBps), isAlike: true });
  }
  return found;
}

function measuredRow(row: BenchRow, readBandwidthGBps: number | null): MeasuredRow {
  const ofRead = readBandwidthGBps !== null && row.GBps !== null ? row.GBps / readBandwidthGBps : null;
  return { row, speed: speedOf(row), ofRead };
}

/** What a software adapter has verified, without its times: they answer no question about speed. */
function untimed(row: BenchRow): BenchRow {
  return { ...row, samplesNs: [], medianNs: null, p10Ns: null, p90Ns: null, GBps: null, vsDense: null };
}
