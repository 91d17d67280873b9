import { PAGE_ROUNDS } from '../../../core/bench/round-counts.ts';
import { useCallback, useMemo } from 'react';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { shapeKey, useDevice, type VisibleDevice } from '../../../kit/devices/use-device.ts';
import { type FormatParams, encodingOf, type EncodingState, type Device } from '../../../state/index.ts';
import type { CompareRow } from './compare-row.ts';
import type { StoredVariant } from './stored-variants.ts';
import type { BenchEntry, BenchRequest } from '../../../engine/bench/bench-types.ts';
import { computes } from '../../../kit/report/operation-words.ts';
import { type TimedMatrix, timedMatrixOf, timedOperation } from '../../../kit/report/matrix-times.ts';
import type { DeviceBounds } from '../../../kit/report/time-bound.ts';
import { fastKernelsLoaded, withFastKernels } from '../../../kit/devices/page-recordings.ts';
import type { BenchReport } from '../../../core/report.ts';
import { matrixRows } from './matrix-rows.ts';
import { measuredRows } from './measured-rows.ts';
import { useWorkerComparison } from './use-worker-comparison.ts';
import { useComparedVariants } from './use-compared-variants.ts';

/** The seed of a run that measures the rows of a matrix. */
const SEED = 1;

/** The formats on the open matrix with their bytes and times, the state of the worker, and functions that measure. */
export function useMatrixComparison(summary: MatrixSummary) {
  const { catalog } = useApp();
  const encodings = useSession((s) => s.encodings);
  const runs = useSession((s) => s.bench.runs);
  const tokens = useDocument((doc) => doc.tokens);
  const params = useDocument((doc) => doc.params);
  const { variants, a, b } = useComparedVariants(summary);
  const worker = useWorkerComparison(variants);
  const { comparison, verdicts, otherEncodings, best } = worker;

  const matrix = useMemo(() => timedMatrixOf(summary, tokens, a.format), [summary, tokens, a.format]);
  /** Times of the compared formats on this matrix; `bounds`: the limits of the device that bound the times. */
  const timesFrom = useCallback(
    (reports: readonly BenchReport[], bounds: DeviceBounds | null) =>
      measuredRows(reports, matrix, variants, { a, b }, bounds),
    [matrix, variants, a, b],
  );
  const hasTimesOf = useCallback(({ reports }: Device) => timesFrom(reports, null).size > 0, [timesFrom]);
  const visibleDevice = useDevice(hasTimesOf, { shapes: [shapeKey(summary)] });
  const { device, devices } = visibleDevice;
  const measurements = useMemo(() => timesFrom(device.reports, device.roofs), [timesFrom, device]);
  // The runs of this browser, which show whether a kernel's result was correct here even if another device is visible.
  const verifications = useMemo(() => {
    const reportsOfOtherDevices = new Set(devices.flatMap(({ kind, reports }) => (kind === 'report' ? reports : [])));
    const reportsMadeHere = runs.flatMap(({ reports }) =>
      reports.filter((report) => !reportsOfOtherDevices.has(report)),
    );
    return timesFrom(reportsMadeHere, null);
  }, [timesFrom, runs, devices]);
  // Null where the read speed alone does not bound the time: with several tokens, arithmetic needs time too. In a
  // feed-forward block each row of activations is a token.
  const readGBps = tokens === 1 && !matrix.isBlock ? (device.roofs?.readGBps ?? null) : null;

  const rows = useMemo(() => {
    const keys = new Map(variants.map(({ stored, key }) => [stored, key]));
    return matrixRows({
      variants,
      summary,
      examples: catalog.examples,
      encodingOf: (stored): EncodingState | undefined =>
        encodingOf(encodings, stored) ?? otherEncodings[keys.get(stored) ?? ''],
      verdictOf: ({ key }) => verdicts[key] ?? null,
      bestOf: ({ format, stored }) => {
        const searched = best[format.id];
        // A search for the best parameters counts only until the user changes them.
        if (!searched?.best || searched.paramsThen !== params[format.id]) return null;
        // A search keeps the value type.
        return searched.best.params.valueType === stored.params.valueType
          ? (searched.best as { params: FormatParams; bytes: number })
          : null;
      },
      measurements,
      verifications,
      readGBps,
      dispatchNs: device.roofs?.dispatchNs ?? 0,
      tokens,
    });
  }, [
    device,
    tokens,
    variants,
    summary,
    catalog,
    encodings,
    otherEncodings,
    verdicts,
    best,
    params,
    measurements,
    verifications,
    readGBps,
  ]);

  const { measure, canMeasure } = useRowMeasurement({ rows, matrix, tokens, visibleDevice });

  return {
    level: 'matrix' as const,
    rows,
    a: rows.find((row) => row.key === a.key) ?? null,
    b: rows.find((row) => row.key === b?.key) ?? null,
    f16Bytes: Math.max(1, summary.rows * summary.cols * 2),
    density: summary.density,
    tokens,
    visibleDevice,
    readGBps,
    summary,
    comparison,
    model: null,
    worker,
    measure,
    canMeasure,
  };
}

interface RowMeasurementInput {
  readonly rows: readonly CompareRow[];
  readonly matrix: TimedMatrix;
  readonly tokens: number;
  readonly visibleDevice: Pick<VisibleDevice, 'dropDeviceChoice'>;
}

/** Functions that measure rows on the GPU of this device or, if it has none, on the CPU. */
function useRowMeasurement({ rows, matrix, tokens, visibleDevice }: RowMeasurementInput) {
  const app = useApp();
  const { session } = app;
  const status = useSession((s) => s.device);
  const where = status?.kind === 'unavailable' ? 'cpu' : 'gpu'; // where kernels are timed
  const operation = timedOperation(matrix);
  /** Whether some kernel computes the product of a row on this device. */
  const canMeasure = useCallback(
    ({ format, stored }: CompareRow) => where === 'cpu' || computes(format, operation, stored.params, tokens),
    [where, operation, tokens],
  );
  /** Measures the rows of these variants on this device; null: all rows whose bytes are known. */
  const measure = useCallback(
    (requested: readonly StoredVariant[] | null) => {
      const entries = rows
        .filter((row) => (requested === null ? row.state === 'known' : requested.some(({ key }) => key === row.key)))
        .filter(canMeasure)
        .map(({ stored: { format, params } }): BenchEntry => ({ format, params, kernels: 'auto' }));
      if (entries.length === 0) return;
      visibleDevice.dropDeviceChoice(); // so that the new times are visible
      const request: BenchRequest = {
        operation,
        sizes: tokens === 1 ? {} : { tokens },
        workload: { kind: 'stage' }, // the matrix that is open
        entries,
        memory: 'cold',
        rounds: PAGE_ROUNDS.default,
        seed: SEED,
        where,
      };
      void session.runBench(() => withFastKernels(app, request), fastKernelsLoaded(app));
    },
    [rows, canMeasure, where, operation, tokens, app, session, visibleDevice],
  );
  return { measure, canMeasure };
}
