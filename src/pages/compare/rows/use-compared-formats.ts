import { SparseScopeError } from '../../../core/errors.ts';
import { PAGE_ROUNDS } from '../../../core/bench/round-counts.ts';
import { useCallback, useMemo } from 'react';
import { type AnyListedFormat, defaultParams, type Shape } from '../../../core/format.ts';
import type { AbortsWork } from '../../../core/sandboxed-format.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import type { DeviceStatus } from '../../../engine/device.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { flagChoice, numberChoice, useChoices } from '../../../kit/browser/choices.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import { useTokenTimes } from '../../../kit/report/use-decode-reports.ts';
import { shareOf } from '../../../kit/forms/use-density.ts';
import { useJob } from '../../../kit/use-job.ts';
import {
  baseOf,
  type FormatParams,
  encodingOf,
  type EncodingState,
  type FormatChoice,
  choiceA,
  type Device,
} from '../../../state/index.ts';
import { blockOf, kvCacheBytesPerToken, type ShapeGroup, shapeGroups } from '../../../theory/models/model-shape.ts';
import { findPosition } from '../../../theory/models/model-tree.ts';
import { hasTimes } from '../../../kit/report/measured-shapes.ts';
import { deviceSpeedOf } from '../model/model-view.ts';
import { estimatedSeconds, modelRequest, operationFor, patternFor } from '../model/model-request.ts';
import type { ComparedFormats, CompareRow } from './compare-row.ts';
import {
  modelRows,
  tokenStarts,
  type ModelRowsInput,
  type SampledBytes,
  suitedVariants,
  viewOf,
} from './model-rows.ts';
import { bitsOf, type StoredVariant, storedVariantOf, comparedVariants } from './stored-variants.ts';
import type { compareFormats, EncodeOnPage } from '../service/service.ts';
import type { BenchEntry, BenchRequest } from '../../../engine/bench/bench-types.ts';
import { computes } from '../../../kit/report/operation-words.ts';
import { timedMatrixOf, timedOperation } from '../../../kit/report/matrix-times.ts';
import type { DeviceBounds } from '../../../kit/report/time-bound.ts';
import { fastKernelsLoaded, withFastKernels } from '../../../kit/devices/page-recordings.ts';
import type { BenchReport } from '../../../core/report.ts';
import { matrixRows } from './matrix-rows.ts';
import { measuredRows } from './measured-rows.ts';
import { useWorkerComparison } from './use-worker-comparison.ts';

/** All compared formats, the chosen A and B, and dense, with parameters: the same object until a choice changes. */
function useComparedVariants({ rows, cols }: Shape) {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  const format = useDocument((doc) => doc.format);
  const paramsA = useDocument((doc) => choiceA(doc).params);
  const against = useDocument((doc) => doc.against);
  return useMemo(() => {
    const shape = { rows, cols };
    const variantOf = (stored: FormatChoice): StoredVariant =>
      storedVariantOf(formats.find(({ id }) => id === stored.format) ?? formats[0], stored.params, shape);
    const variants = comparedVariants(formats, params, [{ format, params: paramsA }, against], shape);
    const [smallest] = variants
      .filter((variant) => variant.format.id === referenceFormat.id)
      .toSorted((one, two) => bitsOf(one.stored.params) - bitsOf(two.stored.params));
    return {
      variants,
      a: variantOf({ format, params: paramsA }),
      b: against && variantOf(against),
      /** dense f16, the reference of sizes */
      reference: storedVariantOf(referenceFormat, defaultParams<FormatParams>(referenceFormat.params), shape),
      /** dense in the fewest bits */
      smallest,
    };
  }, [formats, params, format, paramsA, against, rows, cols]);
}

/** The seed of a run that measures the rows of a matrix. */
const SEED = 1;

/** All formats on the open matrix, with their bytes, times and the worker's pending results. */
export function useMatrixComparison(summary: MatrixSummary) {
  const app = useApp();
  const { session, catalog } = app;
  const encodings = useSession((s) => s.encodings);
  const runs = useSession((s) => s.bench.runs);
  const status = useSession((s) => s.device);
  const tokens = useDocument((doc) => doc.tokens);
  const params = useDocument((doc) => doc.params);
  const { variants, a, b } = useComparedVariants(summary);
  const worker = useWorkerComparison(variants);
  const { comparison, verdicts, otherEncodings, best } = worker;

  const matrix = useMemo(() => timedMatrixOf(summary, tokens, a.format), [summary, tokens, a.format]);
  const timesOf = useCallback(
    (reports: readonly BenchReport[], bounding: DeviceBounds | null) =>
      measuredRows(reports, matrix, variants, { a, b }, bounding),
    [matrix, variants, a, b],
  );
  const hasTimesOf = useCallback(({ reports }: Device) => timesOf(reports, null).size > 0, [timesOf]);
  const shown = useDevice(hasTimesOf, { shapes: [shapeKey(summary)] });
  const { device, devices } = shown;
  const measured = useMemo(() => timesOf(device.reports, device.roofs), [timesOf, device]);
  const verified = useMemo(() => {
    const fromOtherDevices = new Set(devices.flatMap(({ kind, reports }) => (kind === 'report' ? reports : [])));
    const userReports = runs.flatMap(({ reports }) => reports.filter((report) => !fromOtherDevices.has(report)));
    return timesOf(userReports, null);
  }, [timesOf, runs, devices]);
  // With more tokens, arithmetic needs time too; in a feed-forward block each row of activations is a token.
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
        if (!searched?.found || searched.paramsThen !== params[format.id]) return null;
        // A search keeps the value type.
        return searched.found.params.valueType === stored.params.valueType
          ? (searched.found as { params: FormatParams; bytes: number })
          : null;
      },
      measured,
      verified,
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
    measured,
    verified,
    readGBps,
  ]);

  const where = status?.kind === 'unavailable' ? 'cpu' : 'gpu';
  const operation = timedOperation(matrix);
  /** Whether a kernel here computes the product of the row. */
  const canMeasure = useCallback(
    ({ format, stored }: CompareRow) => where === 'cpu' || computes(format, operation, stored.params, tokens),
    [where, operation, tokens],
  );
  /** Measures these rows here; null: all whose bytes are known. */
  const measure = useCallback(
    (chosen: readonly StoredVariant[] | null) => {
      const entries = rows
        .filter((row) => (chosen === null ? row.state === 'known' : chosen.some(({ key }) => key === row.key)))
        .filter(canMeasure)
        .map(({ stored: { format, params } }): BenchEntry => ({ format, params, kernels: 'auto' }));
      if (entries.length === 0) return;
      shown.release(); // shows the times of this device
      const request: BenchRequest = {
        operation,
        sizes: tokens === 1 ? {} : { tokens },
        workload: { kind: 'stage' }, // the open matrix
        entries,
        memory: 'cold',
        rounds: PAGE_ROUNDS.default,
        seed: SEED,
        where,
      };
      void session.runBench(() => withFastKernels(app, request), fastKernelsLoaded(app));
    },
    [rows, canMeasure, where, operation, tokens, app, session, shown],
  );

  return {
    level: 'matrix' as const,
    rows,
    a: rows.find((row) => row.key === a.key) ?? null,
    b: rows.find((row) => row.key === b?.key) ?? null,
    f16Bytes: Math.max(1, summary.rows * summary.cols * 2),
    density: summary.density,
    tokens,
    shown,
    readGBps,
    summary,
    comparison,
    model: null,
    worker,
    measure,
    canMeasure,
  };
}

/** Encodes on the page, for the worker, in a user's format: its code runs in a sandbox of the page. */
function encodeOnPage(formats: readonly AnyListedFormat[], signal: AbortsWork): EncodeOnPage {
  return async (id, params, matrix) => {
    const format = formats.find((one) => one.id === id)?.sandboxed;
    if (!format) throw new SparseScopeError(`${id}: this user-written format is not open`);
    return format.encode(matrix, params, signal);
  };
}

/** Cells of a random matrix that is encoded to estimate the bytes of a larger one. */
const SAMPLED_CELLS = 2 ** 21;

const SAMPLE_SEED = 1;

/** Estimated bytes by the key of a row. */
type Sampled = ReadonlyMap<string, SampledBytes>;

const NO_SAMPLES: Sampled = new Map();

/** Bytes of a model in formats without a closed form, from rows of random matrices; a new `key` discards them. */
function useSampledShapes(key: string, groups: readonly ShapeGroup[], density: number) {
  const { engine, formats } = useApp();
  const { data, job, error, startWith, cancel } = useJob<Sampled>(['Encoding for a model', key], null, {
    cancelWhenUnmounted: true,
  });
  const encode = (variant: StoredVariant): void => {
    const pruned = groups.filter(({ keptDense }) => !keptDense);
    const params = variant.stored.params;
    const pattern = patternFor({ stored: [{ format: variant.format, params }], density, groups });
    const matrices = pruned.map(({ rows, cols }) => {
      const sampledRows = Math.min(rows, Math.max(1, Math.ceil(SAMPLED_CELLS / cols)));
      return { ...pattern, rows: sampledRows, cols, density, seed: SAMPLE_SEED };
    });
    startWith(async (watch, { lastOfSameKey }) => {
      watch.show({ title: `Encoding as ${variant.format.title}` });
      const bytes = new Map<string, number>();
      let problem: string | null = null;
      await engine.service<typeof compareFormats>('compare').sizes(
        watch,
        { matrices, format: variant.format.id, params },
        (size) => {
          const group = pruned[size.matrix];
          if (size.bytes === null) problem = `${variant.format.title}: ${size.rejection ?? 'could not be encoded'}`;
          else bytes.set(shapeKey(group), (size.bytes * group.rows) / matrices[size.matrix].rows);
        },
        encodeOnPage(formats, watch.signal),
      );
      if (problem !== null) throw new SparseScopeError(problem);
      return new Map(lastOfSameKey).set(variant.key, bytes);
    });
  };
  const sampled = data ?? NO_SAMPLES;
  return { sampled, encode: job === null ? encode : null, encoding: job, cancelEncoding: cancel, problem: error };
}

const MAX_CONTEXT = 1_048_576;

const MODEL_FIELDS = {
  /** q, k, v as one matrix, gate and up as one */
  fused: flagChoice(false),
  /** lm_head is stored in the compared format, not dense */
  head: flagChoice(false),
  /** tokens whose keys and values are in memory besides the weights */
  context: numberChoice(0, MAX_CONTEXT, 0, true),
};

/** Returns a function for whether a device has times of A or B on any of these shapes. */
function useHasTimesOf(
  [a, b]: readonly [StoredVariant, StoredVariant | null],
  groups: readonly ShapeGroup[],
  reference: StoredVariant,
  tokens: number,
): (device: Device) => boolean {
  return useCallback(
    ({ reports, name: device }: Device) =>
      [a, b].some((side) => {
        if (!side) return false;
        const operation = operationFor(tokens);
        const hasKernel = computes(side.format, operation, side.stored.params, tokens);
        const query = { operation, tokens, stored: side.stored, dense: reference.stored, hasKernel, device };
        return hasTimes(reports, groups, query);
      }),
    [a, b, tokens, reference, groups],
  );
}

/** All formats for a whole model, or for a layer of a model; null if a matrix is compared. */
export function useModelComparison(summary: MatrixSummary): ComparedFormats | null {
  const { session, catalog } = useApp();
  const [{ fused, head, context }, choose] = useChoices(MODEL_FIELDS);
  const source = useDocument((doc) => doc.source);
  const tokens = useDocument((doc) => doc.tokens);
  const status = useSession((s) => s.device);
  const base = baseOf(source);
  const layer = base.kind === 'model' ? (base.layer ?? null) : null;
  const isLayer = layer !== null;
  const id = base.kind === 'model' ? base.model : null;
  const shape = useMemo(() => {
    if (id === null) return null;
    const { model } = findPosition({ model: id });
    return layer === null ? model : blockOf(model, layer);
  }, [id, layer]);
  const pruning = source.kind === 'pruned' ? source.pruning : null;
  const density = pruning === null ? 1 : shareOf(pruning);
  const { variants, a, b, reference, smallest } = useComparedVariants(summary);
  const suited = useMemo(() => suitedVariants(variants, [a, b], density, summary), [variants, a, b, density, summary]);

  const storage = useMemo(
    () => ({ fusion: fused ? ('fused' as const) : ('separate' as const), keepHead: !head }),
    [fused, head],
  );
  const groups = useMemo(() => (shape ? shapeGroups(shape, storage) : []), [shape, storage]);
  const hasTimesOf = useHasTimesOf([a, b], groups, reference, tokens);
  const shown = useDevice(hasTimesOf, { shapes: groups.map(shapeKey) });
  const { device } = shown;
  const tokenTimes = useTokenTimes();
  const sampleKey = JSON.stringify([id, layer, storage, density, pruning?.way]);
  const { sampled, ...encodingActions } = useSampledShapes(sampleKey, groups, density);

  const input = useMemo(
    (): ModelRowsInput | null =>
      shape && {
        variants: suited,
        summary,
        examples: catalog.examples,
        model: shape,
        ...storage,
        density,
        placement: pruning?.way === 'n-of-m' ? 'even' : 'independent',
        tokens,
        reference,
        smallest,
        reports: device.reports,
        device: device.name,
        measuredHere: tokenTimes,
        deviceSpeed: deviceSpeedOf(device),
        sampled,
      },
    [
      suited,
      summary,
      catalog,
      shape,
      storage,
      density,
      pruning,
      tokens,
      reference,
      smallest,
      device,
      tokenTimes,
      sampled,
    ],
  );
  const rowsOfModel = useMemo(() => (input ? modelRows(input) : []), [input]);

  const unavailable = status === null ? null : unavailableText(status);
  const measure = (): void => {
    const sides = [a, b].flatMap((side) => (side ? { format: side.format, params: side.stored.params } : []));
    shown.release(); // shows the times of this device
    const { request, axis } = modelRequest({
      groups,
      density,
      tokens,
      stored: sides,
      reference: referenceFormat,
      referenceParams: defaultParams<FormatParams>(referenceFormat.params),
    });
    void session.runSweep(request, axis);
  };

  if (!shape || !input) return null;
  return {
    level: 'model',
    rows: rowsOfModel,
    a: rowsOfModel.find((row) => row.key === a.key) ?? null,
    b: rowsOfModel.find((row) => row.key === b?.key) ?? null,
    f16Bytes: viewOf(reference, input)?.bytes.dense ?? 0,
    density,
    tokens,
    shown,
    readGBps: input.deviceSpeed?.readGBps ?? null,
    summary,
    comparison: null,
    model: {
      shape,
      isLayer,
      fused,
      prunesHead: head,
      context,
      contextBytes: context * kvCacheBytesPerToken(shape),
      starts: tokenStarts(input),
      viewOf: (variant) => viewOf(variant, input),
      choose,
      measure: unavailable === null ? measure : null,
      measureMs: 1000 * estimatedSeconds(groups),
      unavailable,
      ...encodingActions,
    },
  };
}

/** Why a model cannot be timed on this device, as text; null if it can. */
function unavailableText(status: DeviceStatus): string | null {
  if (status.kind === 'unavailable') return status.reason;
  return status.environment.isFallback ? 'Models are timed on GPUs.' : null;
}
