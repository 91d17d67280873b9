import { useEffect, useMemo, useState } from 'react';
import { useApp, useDocument } from '../../../../kit/app-context.ts';
import { numberChoice, oneOf } from '../../../../kit/browser/choices.ts';
import { recordedQuality } from '../../../../kit/models/use-quality.ts';
import type { Device } from '../../../../state/devices/device.ts';
import { isBound } from '../../../../state/devices/device.ts';
import type { ModelShape } from '../../../../theory/models/model-shape.ts';
import { shippedId } from '../../../../theory/models/shipped-models.ts';
import { type KnownLosses, knownLosses } from './known-losses.ts';
import { modelPlans, type ModelPlans, type PlanValues } from './model-plans.ts';

/** What a plan is asked for: in the address. */
export const PLAN_FIELDS = {
  /** what is given, so that the other is as good as it can be */
  plan: oneOf(['loss', 'bytes'] as const, 'loss'),
  /** bits a tale that may be lost */
  planlost: numberChoice(0, 1e5, 1),
  /** share of its weights that every matrix keeps, where no loss is known */
  planleft: numberChoice(0.01, 1, 0.5),
  /** bytes that there are, as a share of dense f16 */
  planroom: numberChoice(0.01, 1, 0.5),
  planvalues: oneOf<PlanValues>(['any', 'f16', 'i8', 'i4'], 'any'),
};

/** What was measured of a model's losses; undefined while it is on its way, null where nothing was. */
export function useLosses(model: ModelShape): KnownLosses | null | undefined {
  const id = shippedId(model);
  const [found, setFound] = useState<{ readonly id: string; readonly losses: KnownLosses | null } | null>(null);
  useEffect(() => {
    if (id === null) return;
    let isShown = true;
    void recordedQuality(id).then((quality) => {
      if (isShown) setFound({ id, losses: quality && knownLosses(quality) });
    });
    return () => {
      isShown = false;
    };
  }, [id]);
  if (id === null) return null;
  return found?.id === id ? found.losses : undefined;
}

/** What is asked about a model and a device. */
interface PlansWanted {
  readonly model: ModelShape;
  readonly device: Device;
  readonly losses: KnownLosses | null;
  readonly goal: 'loss' | 'bytes';
  readonly values: PlanValues;
}

/** All plans worth choosing: by time where every matrix has one and the loss is given, else by bytes. */
export function usePlans({ model, device, losses, goal, values }: PlansWanted): ModelPlans {
  const { formats } = useApp();
  const params = useDocument((doc) => doc.params);
  return useMemo(() => {
    const reports = isBound(device) || device.isSoftware ? [] : device.reports;
    const sources = { formats, params, reports, device: device.name };
    const by = (cost: 'us' | 'bytes'): ModelPlans => modelPlans({ model, sources, losses, values, cost });
    const timed = goal === 'loss' && reports.length > 0 ? by('us') : null;
    return timed && timed.plans.length > 0 ? timed : by('bytes');
  }, [model, device, losses, goal, values, formats, params]);
}
