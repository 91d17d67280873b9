import { useCallback, useMemo } from 'react';
import { defaultParams } from '../../../core/format.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import type { DeviceStatus } from '../../../engine/device.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { flagChoice, numberChoice, useChoices } from '../../../kit/browser/choices.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import { useTokenTimes } from '../../../kit/report/use-decode-reports.ts';
import { shareOf } from '../../../kit/forms/use-density.ts';
import { baseOf, type FormatParams, type Device } from '../../../state/index.ts';
import { blockOf, kvCacheBytesPerToken, type ShapeGroup, shapeGroups } from '../../../theory/models/model-shape.ts';
import { findPosition } from '../../../theory/models/model-tree.ts';
import { hasTimes } from '../../../kit/report/measured-shapes.ts';
import { deviceSpeedOf } from '../model/model-view.ts';
import { estimatedSeconds, modelRequest, operationFor } from '../model/model-request.ts';
import type { ComparedFormats } from './compare-row.ts';
import { modelRows, tokenStarts, type ModelRowsInput, suitedVariants, viewOf } from './model-rows.ts';
import type { StoredVariant } from './stored-variants.ts';
import { computes } from '../../../kit/report/operation-words.ts';
import { useComparedVariants } from './use-compared-variants.ts';
import { useSampledShapes } from './use-sampled-shapes.ts';

const MAX_CONTEXT = 1_048_576;

const MODEL_FIELDS = {
  /** q, k and v are stored as one matrix, gate and up as another */
  fused: flagChoice(false),
  /** lm_head is stored in the compared format, not dense */
  head: flagChoice(false),
  /** tokens whose keys and values are in memory besides the weights */
  context: numberChoice(0, MAX_CONTEXT, 0, true),
};

/** Returns a function that checks whether a device has times of A or B on any of these shapes. */
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

/** All formats for a whole model, or for a layer of a model, with bytes and times; null if a matrix is compared. */
export function useModelComparison(summary: MatrixSummary): ComparedFormats | null {
  const { session, catalog } = useApp();
  const [{ fused, head: prunesHead, context }, choose] = useChoices(MODEL_FIELDS);
  const source = useDocument((doc) => doc.source);
  const tokens = useDocument((doc) => doc.tokens);
  const status = useSession((s) => s.device);
  const base = baseOf(source);
  const layer = base.kind === 'model' ? (base.layer ?? null) : null;
  const isLayer = layer !== null;
  const modelId = base.kind === 'model' ? base.model : null;
  const shape = useMemo(() => {
    if (modelId === null) return null;
    const { model } = findPosition({ model: modelId });
    return layer === null ? model : blockOf(model, layer);
  }, [modelId, layer]);
  const pruning = source.kind === 'pruned' ? source.pruning : null;
  const density = pruning === null ? 1 : shareOf(pruning);
  const { variants, a, b, reference, smallest } = useComparedVariants(summary);
  const suited = useMemo(() => suitedVariants(variants, [a, b], density, summary), [variants, a, b, density, summary]);

  const storage = useMemo(
    () => ({ fusion: fused ? ('fused' as const) : ('separate' as const), keepHead: !prunesHead }),
    [fused, prunesHead],
  );
  const groups = useMemo(() => (shape ? shapeGroups(shape, storage) : []), [shape, storage]);
  const hasTimesOf = useHasTimesOf([a, b], groups, reference, tokens);
  const visibleDevice = useDevice(hasTimesOf, { shapes: groups.map(shapeKey) });
  const { device } = visibleDevice;
  const tokenTimes = useTokenTimes();
  const sampleKey = JSON.stringify([modelId, layer, storage, density, pruning?.way]);
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
  const rows = useMemo(() => (input ? modelRows(input) : []), [input]);

  const unavailable = status === null ? null : unavailableText(status);
  const measure = (): void => {
    const selected = [a, b].flatMap((side) => (side ? { format: side.format, params: side.stored.params } : []));
    visibleDevice.dropDeviceChoice(); // so that the new times are visible
    const { request, axis } = modelRequest({
      groups,
      density,
      tokens,
      stored: selected,
      reference: referenceFormat,
      referenceParams: defaultParams<FormatParams>(referenceFormat.params),
    });
    void session.runSweep(request, axis);
  };

  if (!shape || !input) return null;
  return {
    level: 'model',
    rows,
    a: rows.find((row) => row.key === a.key) ?? null,
    b: rows.find((row) => row.key === b?.key) ?? null,
    f16Bytes: viewOf(reference, input)?.bytes.dense ?? 0,
    density,
    tokens,
    visibleDevice,
    readGBps: input.deviceSpeed?.readGBps ?? null,
    summary,
    comparison: null,
    model: {
      shape,
      isLayer,
      fused,
      prunesHead,
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

/** Returns why a model cannot be timed on this device, as text; null if it can. */
function unavailableText(status: DeviceStatus): string | null {
  if (status.kind === 'unavailable') return status.reason;
  return status.environment.isFallback ? 'Models are timed on GPUs.' : null;
}
