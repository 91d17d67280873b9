import { useCallback, useMemo } from 'react';
import { defaultParams } from '../../../../src/core/format.ts';
import { SPMV } from '../../../../src/core/operations/index.ts';
import { referenceFormat } from '../../../../src/formats/catalog.ts';
import { useApp, useDocument } from '../../../../src/kit/app-context.ts';
import { useChoices } from '../../../../src/kit/browser/choices.ts';
import { shapeKey, useDevice } from '../../../../src/kit/devices/use-device.ts';
import { hasTimes, type ShapeQuery } from '../../../../src/kit/report/measured-shapes.ts';
import { useTokenTimes } from '../../../../src/kit/report/use-decode-reports.ts';
import { type Device, currentParams } from '../../../../src/state/index.ts';
import type { ModelFormat } from '../../../../src/theory/models/model-bytes.ts';
import { shapeGroups } from '../../../../src/theory/models/model-shape.ts';
import { KNOWN_MODELS } from '../../../../src/theory/models/known-models.ts';
import { publishedRun } from '../../../../src/theory/models/published-models.ts';
import { type TokenSpeed, tokenSpeeds } from '../../../../src/theory/models/token-speeds.ts';
import { SPEED_FIELDS } from './fields.ts';
import { pytorchOn } from './pytorch.ts';
import { matrixTimesAt, fullyMeasuredDensities } from './shapes.ts';

/** The parameters of the dense format. */
export const DENSE_PARAMS: Readonly<Record<string, unknown>> = defaultParams(referenceFormat.params);

/**
 * The large model of the tab Speed, its format, and what is known of both on a device. `matrixTimes`: times of its
 * matrices at `density`; `measured`: the same at all measured densities; `wholeModel`: speeds of whole tokens.
 */
export function useLargeModel() {
  const { formats } = useApp();
  const [{ large: modelName, left: density }, choose] = useChoices(SPEED_FIELDS);
  const model = KNOWN_MODELS.find(({ name }) => name === modelName) ?? KNOWN_MODELS[0];
  const chosen = useDocument((doc) => doc.format);
  const chosenParams = useDocument(currentParams);
  const format = formats.find(({ id }) => id === chosen) ?? referenceFormat;
  const params = format.id === chosen ? chosenParams : DENSE_PARAMS;
  const stored = useMemo<ModelFormat>(() => ({ format, params, fusion: 'separate', keepHead: true }), [format, params]);

  const groups = useMemo(() => shapeGroups(model, { keepHead: true }), [model]);
  const shapes = useMemo(() => groups.map(shapeKey), [groups]);
  const hasTimesOn = useCallback(
    (device: Device) => hasTimes(device.reports, groups, shapeQuery(format.id, params, device.name)),
    [groups, format, params],
  );
  const { device, loading, problem } = useDevice(hasTimesOn, { shapes });
  const query = useMemo(() => shapeQuery(format.id, params, device.name), [format, params, device]);
  // A format without a kernel of y = A x, such as one for activations, is shown as dense.
  const isDense = format.id === referenceFormat.id || !format.kernels.some(({ operation }) => operation === SPMV.id);

  const matrixTimes = useMemo(
    () => matrixTimesAt(model, stored, density, device.reports, query),
    [model, stored, density, device, query],
  );
  const measured = useMemo(
    () =>
      fullyMeasuredDensities(model, stored, device.reports, query).flatMap((measuredDensity) => {
        const matrices = matrixTimesAt(model, stored, measuredDensity, device.reports, query);
        return matrices === null || matrices.storedNs === null ? [] : [matrices];
      }),
    [model, stored, device, query],
  );
  const readGBps = device.roofs?.readGBps ?? null;
  const pytorch = pytorchOn(device.name, model.name);
  const published = useMemo(() => publishedRun(format.source?.url, model.name), [format, model]);
  const measuredTokens = useTokenTimes();
  const wholeModel = useMemo(() => {
    const speedsOf = (id: string, values: ModelFormat['params']): readonly TokenSpeed[] =>
      tokenSpeeds({ model: model.name, format: id, params: values, device: device.name }, measuredTokens);
    return { dense: speedsOf(referenceFormat.id, DENSE_PARAMS), stored: isDense ? [] : speedsOf(format.id, params) };
  }, [model, format, params, isDense, device, measuredTokens]);

  return {
    model,
    density,
    choose,
    format,
    params,
    stored,
    isDense,
    device,
    loading,
    problem,
    matrixTimes,
    measured,
    readGBps,
    pytorch,
    published,
    wholeModel,
  };
}

export type LargeModelData = ReturnType<typeof useLargeModel>;

function shapeQuery(format: string, params: Readonly<Record<string, unknown>>, device: string): ShapeQuery {
  return {
    operation: SPMV.id,
    tokens: 1,
    stored: { format, params },
    dense: { format: referenceFormat.id, params: DENSE_PARAMS },
    hasKernel: true,
    device,
  };
}
