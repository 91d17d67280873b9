import { useCallback, useMemo } from 'react';
import { useStoredA } from '../curves/use-stored-a.ts';
import { defaultParams } from '../../../core/format.ts';
import { referenceFormat } from '../../../formats/catalog.ts';
import { useApp, useDocument } from '../../../kit/app-context.ts';
import { type Stored } from '../../../state/index.ts';
import type { Device } from '../../../state/devices/device.ts';
import type { ShapeQuery } from '../../../kit/report/measured-shapes.ts';
import { computes } from '../../../kit/report/computes.ts';
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
  const speedsOf = useCallback(
    (stored: Stored): ModelSpeeds => {
      const { params } = stored;
      const format = formats.find(({ id }) => id === stored.format) ?? referenceFormat;
      const operation = operationFor(tokens);
      const look: ShapeQuery = {
        device: device.name,
        operation,
        tokens,
        stored,
        dense: { format: referenceFormat.id, params: DENSE },
        able: computes(format, operation, params, tokens),
      };
      const as = { format, params, fusion, keepHead };
      return {
        stored,
        title: storedTitle(format, params),
        measured: measuredCurve(model, as, device.reports, look),
        viewAt: (density) =>
          modelView(model, { ...as, density }, device.reports, { ...look, density }, deviceSpeedOf(device)),
      };
    },
    [formats, device, model, tokens, fusion, keepHead],
  );
  return {
    a: useMemo(() => speedsOf(a), [speedsOf, a]),
    b: useMemo(() => (b === null ? null : speedsOf(b)), [speedsOf, b]),
  };
}
