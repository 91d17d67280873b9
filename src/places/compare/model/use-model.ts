import { useCallback, useMemo } from 'react';
import { type AnyListedFormat, defaultParams, resolvedParams } from '../../../core/format.ts';
import { firstFormat, referenceFormat } from '../../../formats/catalog.ts';
import type { ModelStored } from '../../../theory/models/model-bytes.ts';
import type { DeviceStatus } from '../../../engine/device.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { shapeKey, type ShownDevice, useDevice } from '../../../kit/devices/use-device.ts';
import type { Device } from '../../../state/devices/device.ts';
import { shapeGroups } from '../../../theory/models/model-shape.ts';
import { softwareSentence } from '../../../kit/words/no-card.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { hasTimes, isWhole, type Look } from './measured.ts';
import { boundReads, computes, type ModelChoices, modelFields } from './model-choices.ts';
import { storedTitle } from './model-words.ts';
import { measurement, operationFor } from './model-request.ts';
import { type CurvePoint, limitCurve, measuredCurve, modelView, type ModelView } from './model-view.ts';

/** State and actions of the page. */
export interface ModelPageState {
  readonly choices: ModelChoices;
  readonly choose: (changed: Partial<ModelChoices>) => void;
  readonly format: AnyListedFormat;
  readonly params: Readonly<Record<string, unknown>>;
  /** the parameters after adjusting to the model's shapes, where all of them agree: shown and saved */
  readonly shownParams: Readonly<Record<string, unknown>>;
  /** the format with its value type */
  readonly title: string;
  readonly view: ModelView;
  /** tokens per second at the measured densities */
  readonly curve: readonly CurvePoint[];
  /** tokens per second allowed by bytes */
  readonly limit: readonly CurvePoint[];
  /** the device that answers */
  readonly shown: ShownDevice;
  /** its name; null if it has no time on show */
  readonly device: string | null;
  /** shapes that this device has all times of */
  readonly measuredHere: number;
  /** densities at which it has times of every shape in the format */
  readonly densities: readonly number[];
  /** why nothing can be measured here; null if something can */
  readonly unavailable: string | null;
  /** shapes without a time; all if none has one */
  readonly missing: ModelView['lines'];
  readonly measure: () => void;
}

/** Dense in the precision in which models are published. */
const REFERENCE_PARAMS: Readonly<Record<string, unknown>> = defaultParams(referenceFormat.params);

/** Why a device cannot be measured; null if it can. */
function unavailableWords(status: DeviceStatus): string | null {
  if (status.kind === 'unavailable') return status.reason;
  return status.environment.isFallback ? softwareSentence(status.environment) : null;
}

/** The parameters for all shapes together; unadjusted if shapes adjust them differently. */
function agreedParams(
  format: AnyListedFormat,
  params: Readonly<Record<string, unknown>>,
  lines: ModelView['lines'],
): Readonly<Record<string, unknown>> {
  const sets = lines.map(({ group }) => resolvedParams(format.params, params, group));
  const isAgreed = sets.every((set) => Object.entries(set).every(([name, value]) => sets[0][name] === value));
  return isAgreed && sets.length > 0 ? sets[0] : params;
}

/** Everything on a model's page, from the address, the measurements, and the device. */
export function useModel(): ModelPageState {
  const { formats, session, announce } = useApp();
  const fields = useMemo(() => modelFields(formats, firstFormat.id), [formats]);
  const [choices, choose] = useChoices(fields);
  const { model, density, fused, head, tokens } = choices;
  const format = formats.find(({ id }) => id === choices.format) ?? firstFormat;
  const given = useDocument((doc) => doc.params[format.id]);
  const params = useMemo(() => ({ ...defaultParams<object>(format.params), ...given }), [format, given]);
  const status = useSession((s) => s.device);
  const unavailable = status === null ? null : unavailableWords(status);

  const sizes = useMemo(
    (): Omit<Look, 'device'> => ({
      operation: operationFor(tokens),
      tokens,
      stored: { format: format.id, params },
      dense: { format: referenceFormat.id, params: REFERENCE_PARAMS },
      able: computes(format, operationFor(tokens), params, tokens),
    }),
    [tokens, format, params],
  );
  const stored = useMemo(
    (): ModelStored => ({ format, params, fusion: fused ? 'fused' : 'separate', keepHead: !head }),
    [format, params, fused, head],
  );
  const groups = useMemo(() => shapeGroups(model, stored), [model, stored]);
  const has = useCallback(
    ({ reports: of, name }: Device) => hasTimes(of, groups, { ...sizes, device: name }),
    [groups, sizes],
  );
  // While something is measured, it is shown as it comes.
  const isRunning = useSession((s) => s.bench.running !== null);
  const hasAll = useCallback(
    ({ reports: of, name }: Device) =>
      isRunning || measuredCurve(model, stored, of, { ...sizes, device: name }).length > 0,
    [isRunning, model, stored, sizes],
  );
  const old = useMemo(() => ({ readGBps: choices.reads, f32Tflops: null }), [choices.reads]);
  const shown = useDevice(has, { shapes: groups.map(shapeKey), old, hasAll });
  const { device } = shown;
  const { reports } = device;
  const sought = useMemo((): Look => ({ ...sizes, device: device.name }), [sizes, device]);
  const typed = useMemo(() => boundReads(device), [device]);
  const view = useMemo(() => {
    const found = modelView(model, { ...stored, density }, reports, { ...sought, density }, typed);
    if (!found) throw new Error(`${format.id}: found no closed form, expected one of every format that is offered`);
    return found;
  }, [model, stored, density, reports, sought, typed, format]);
  // Neither depends on the slider's position.
  const curve = useMemo(() => measuredCurve(model, stored, reports, sought), [model, stored, reports, sought]);
  const speed = view.tokens === 1 ? (view.reads?.GBps ?? null) : null;
  const limit = useMemo(() => (speed === null ? [] : limitCurve(model, stored, speed)), [model, stored, speed]);

  const densities = useMemo(() => curve.map((point) => point.density), [curve]);

  const lacking = view.lines.filter(({ measured, group }) => !isWhole(measured, group.keptDense || !sought.able));
  const isThis = device.kind === 'this';
  const missing = isThis && lacking.length > 0 ? lacking : view.lines;
  return {
    choices,
    choose,
    format,
    params,
    shownParams: agreedParams(format, params, view.lines),
    title: storedTitle(format, params),
    view,
    curve,
    limit,
    shown,
    device: view.lines.some(({ measured }) => measured !== null) ? device.name : null,
    densities,
    measuredHere: isThis ? view.measuredShapes : 0,
    unavailable,
    missing,
    measure() {
      if (unavailable !== null) return announce(unavailable);
      shown.release();
      const { request, axis } = measurement({
        groups: missing.map(({ group }) => group),
        density,
        tokens,
        stored: [{ format, params }],
        reference: referenceFormat,
        referenceParams: REFERENCE_PARAMS,
      });
      void session.runSweep(request, axis);
    },
  };
}
