import { useCallback, useMemo } from 'react';
import { useStoredA } from '../curves/use-stored-a.ts';
import { defaultParams } from '../../../core/format.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { type Stored } from '../../../state/index.ts';
import type { Device } from '../../../state/devices/device.ts';
import type { ModelStored } from '../../../theory/models/model-bytes.ts';
import type { ShapeQuery } from '../../../kit/report/measured-shapes.ts';
import { computes } from '../../../kit/report/matrix-times.ts';
import { deviceSpeedOf } from '../model/model-choices.ts';
import { operationFor } from '../model/model-request.ts';
import { storedTitle } from '../model/model-words.ts';
import { type CurvePoint, measuredCurve, modelView, type ModelView } from '../model/model-view.ts';
import type { ModelQuery } from './model-lines.ts';

/** A model stored in one way, with its measurements on the device that answers. */
export interface ModelSpeeds {
  readonly stored: Stored;
  /** the format with its value type */
  readonly title: string;
  /** tokens per second at every share at which all shapes were measured */
  readonly measured: readonly CurvePoint[];
  /** shape by shape at a share; null without a closed form */
  readonly viewAt: (left: number) => ModelView | null;
}

/** Dense in the precision in which models are published. */
const DENSE: Readonly<Record<string, unknown>> = defaultParams(referenceFormat.params);

/** A and B of the sentence as ways to store a whole model, on the device that answers. */
export function useModelSpeeds(
  { model, fusion, keepHead }: ModelQuery,
  device: Device,
): {
  readonly a: ModelSpeeds;
  readonly b: ModelSpeeds | null;
} {
  const { formats } = useApp();
  const a = useStoredA();
  const b = useDocument((doc) => doc.against);
  const tokens = useDocument((doc) => doc.tokens);
  const lookFor = useCallback(
    ({ format: id, params }: Stored): Omit<ShapeQuery, 'device'> => {
      const operation = operationFor(tokens);
      const format = formats.find((known) => known.id === id) ?? referenceFormat;
      return {
        operation,
        tokens,
        stored: { format: id, params },
        dense: { format: referenceFormat.id, params: DENSE },
        able: computes(format, operation, params, tokens),
      };
    },
    [formats, tokens],
  );
  const storedOf = useCallback(
    ({ format: id, params }: Stored): ModelStored => {
      const format = formats.find((known) => known.id === id) ?? referenceFormat;
      return { format, params, fusion, keepHead };
    },
    [formats, fusion, keepHead],
  );
  const speedsOf = useCallback(
    (stored: Stored): ModelSpeeds => {
      const look: ShapeQuery = { ...lookFor(stored), device: device.name };
      const as = storedOf(stored);
      const format = formats.find((known) => known.id === stored.format) ?? referenceFormat;
      return {
        stored,
        title: storedTitle(format, stored.params),
        measured: measuredCurve(model, as, device.reports, look),
        viewAt: (density) =>
          modelView(model, { ...as, density }, device.reports, { ...look, density }, deviceSpeedOf(device)),
      };
    },
    [lookFor, storedOf, formats, device, model],
  );
  return {
    a: useMemo(() => speedsOf(a), [speedsOf, a]),
    b: useMemo(() => (b === null ? null : speedsOf(b)), [speedsOf, b]),
  };
}
