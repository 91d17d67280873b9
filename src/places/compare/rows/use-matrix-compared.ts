import { useCallback, useMemo } from 'react';
import type { BenchEntry, BenchRequest } from '../../../engine/bench/bench-types.ts';
import type { MatrixSummary } from '../../../engine/matrix/types.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { timedMatrixOf, operationOf } from '../../../kit/report/matrix-times.ts';
import { type Bounding } from '../../../kit/report/time-bound.ts';
import { withKnown } from '../../../kit/devices/recordings-of.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import { encodingOf, type EncodingState, type Stored } from '../../../state/index.ts';
import type { Device } from '../../../state/devices/device.ts';
import type { BenchReport } from '../../../core/report.ts';
import { computes } from '../model/model-choices.ts';
import type { ComparedFormats } from './compare-row.ts';
import { matrixRows } from './matrix-rows.ts';
import { measuredRows } from './measured-rows.ts';
import { useComparison, type WorkerFindings } from './use-comparison.ts';
import { useWays } from './use-ways.ts';
import type { Way } from './ways.ts';

const ROUNDS = 24;
const SEED = 1;

/** A compared matrix, with the worker's jobs for it. */
export interface MatrixCompared extends ComparedFormats {
  readonly worker: WorkerFindings;
  /** Measures these rows here, or all. */
  readonly measure: (only: readonly Way[] | null) => void;
}

export function useMatrixCompared(summary: MatrixSummary): MatrixCompared {
  const app = useApp();
  const { session, catalog } = app;
  const encodings = useSession((s) => s.encodings);
  const runs = useSession((s) => s.bench.runs);
  const status = useSession((s) => s.device);
  const tokens = useDocument((doc) => doc.tokens);
  const chosen = useDocument((doc) => doc.params);
  const { ways, a, b } = useWays(summary);
  const worker = useComparison(ways);
  const { comparison, verdicts, others, best } = worker;

  const asked = useMemo(() => timedMatrixOf(summary, tokens, a.format), [summary, tokens, a.format]);
  const timesOf = useCallback(
    (reports: readonly BenchReport[], bounding: Bounding | null) =>
      measuredRows(reports, asked, ways, { a, b }, bounding),
    [asked, ways, a, b],
  );
  const has = useCallback(({ reports }: Device) => timesOf(reports, null).size > 0, [timesOf]);
  const shown = useDevice(has, { shapes: [shapeKey(summary)] });
  const { device, devices } = shown;
  const measured = useMemo(() => timesOf(device.reports, device.roofs), [timesOf, device]);
  const verified = useMemo(() => {
    const elsewhere = new Set(devices.flatMap((one) => (one.kind === 'report' ? one.reports : [])));
    return timesOf(
      runs.flatMap(({ reports }) => reports).filter((report) => !elsewhere.has(report)),
      null,
    );
  }, [timesOf, runs, devices]);
  // With many tokens at once, as in a block, arithmetic counts too.
  const readGBps = tokens === 1 && !asked.isBlock ? (device.roofs?.readGBps ?? null) : null;

  const rows = useMemo(() => {
    const own = new Map(ways.map((way) => [way.stored, way.key]));
    return matrixRows({
      ways,
      summary,
      examples: catalog.examples,
      encodingOf: (stored: Stored): EncodingState | undefined => {
        return encodingOf(encodings, stored) ?? others[own.get(stored) ?? ''];
      },
      verdictOf: ({ key }) => verdicts[key] ?? null,
      bestOf: ({ format, stored }) => {
        const found = best[format.id];
        if (!found?.found || found.for !== chosen[format.id]) return null;
        // A search keeps the value type.
        return found.found.params.valueType === stored.params.valueType
          ? (found.found as { params: Stored['params']; bytes: number })
          : null;
      },
      measured,
      verified,
      readGBps,
      dispatchNs: device.roofs?.dispatchNs ?? 0,
      tokens,
    });
  }, [device, tokens, ways, summary, catalog, encodings, others, verdicts, best, chosen, measured, verified, readGBps]);

  const measure = useCallback(
    (only: readonly Way[] | null) => {
      const where = status?.kind === 'unavailable' ? 'cpu' : 'gpu';
      const operation = operationOf(asked);
      const entries = rows
        .filter((row) => (only === null ? row.state === 'known' : only.some(({ key }) => key === row.key)))
        .filter(({ format, stored }) => where === 'cpu' || computes(format, operation, stored.params, tokens))
        .map(({ stored: { format, params } }): BenchEntry => ({ format, params, kernels: 'auto' }));
      if (entries.length === 0) return;
      shown.release();
      const request: BenchRequest = {
        operation,
        sizes: tokens === 1 ? {} : { tokens },
        workload: { kind: 'stage' },
        entries,
        memory: 'cold',
        rounds: ROUNDS,
        seed: SEED,
        where,
      };
      void session.runBench(withKnown(app, request));
    },
    [rows, status, asked, tokens, app, session, shown],
  );

  return {
    level: 'matrix',
    rows,
    a: rows.find((row) => row.key === a.key) ?? null,
    b: rows.find((row) => row.key === b?.key) ?? null,
    f16Bytes: Math.max(1, summary.rows * summary.cols * 2),
    left: summary.density,
    tokens,
    shown,
    readGBps,
    summary,
    comparison,
    model: null,
    worker,
    measure,
  };
}
