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
 * The large model of the tab Speed, its format, and the times of both on a device. `timesAtDensity`: times of its
 * matrices at the current density; `measuredTimes`: the same at all measured densities; `wholeTokens`: speeds of whole
 * tokens.
 */
export function useLargeModel() {
  const { formats } = useApp();
  const [{ large: largeName, left: currentDensity }, choose] = useChoices(SPEED_FIELDS);
  const modelShape = KNOWN_MODELS.find(({ name }) => name === largeName) ?? KNOWN_MODELS[0];
  const chosenFormat = useDocument((doc) => doc.format);
  const chosenParams = useDocument(currentParams);
  const format = formats.find(({ id }) => id === chosenFormat) ?? referenceFormat;
  const params = format.id === chosenFormat ? chosenParams : DENSE_PARAMS;
  const modelFormat = useMemo<ModelFormat>(
    () => ({ format, params, fusion: 'separate', keepHead: true }),
    [format, params],
  );

  const groups = useMemo(() => shapeGroups(modelShape, { keepHead: true }), [modelShape]);
  const shapes = useMemo(() => groups.map(shapeKey), [groups]);
  const hasTimesOn = useCallback(
    (device: Device) => hasTimes(device.reports, groups, shapeQuery(format.id, params, device.name)),
    [groups, format, params],
  );
  const { device, loading, problem } = useDevice(hasTimesOn, { shapes });
  const query = useMemo(() => shapeQuery(format.id, params, device.name), [format, params, device]);
  // A format without a kernel of y = A x, such as one for activations, is shown as dense.
  const isDense = format.id === referenceFormat.id || !format.kernels.some(({ operation }) => operation === SPMV.id);

  const timesAtDensity = useMemo(
    () => matrixTimesAt(modelShape, modelFormat, currentDensity, device.reports, query),
    [modelShape, modelFormat, currentDensity, device, query],
  );
  const measuredTimes = useMemo(
    () =>
      fullyMeasuredDensities(modelShape, modelFormat, device.reports, query).flatMap((density) => {
        const matrices = matrixTimesAt(modelShape, modelFormat, density, device.reports, query);
        return matrices === null || matrices.storedNs === null ? [] : [matrices];
      }),
    [modelShape, modelFormat, device, query],
  );
  const readGBps = device.roofs?.readGBps ?? null;
  const pytorchRun = pytorchOn(device.name, modelShape.name);
  const publishedTokens = useMemo(() => publishedRun(format.source?.url, modelShape.name), [format, modelShape]);
  const measuredTokens = useTokenTimes();
  const wholeTokens = useMemo(() => {
    const speedsOf = (id: string, values: ModelFormat['params']): readonly TokenSpeed[] =>
      tokenSpeeds({ model: modelShape.name, format: id, params: values, device: device.name }, measuredTokens);
    return {
      dense: speedsOf(referenceFormat.id, DENSE_PARAMS),
      stored: isDense ? [] : speedsOf(format.id, params),
    };
  }, [modelShape, format, params, isDense, device, measuredTokens]);

  return {
    modelShape,
    density: currentDensity,
    choose,
    format,
    params,
    modelFormat,
    isDense,
    device,
    loading,
    problem,
    timesAtDensity,
    measuredTimes,
    readGBps,
    pytorch: pytorchRun,
    published: publishedTokens,
    wholeTokens,
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
