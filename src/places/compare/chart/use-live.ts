import { useCallback, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { referenceFormat } from '../../../formats/catalog.ts';
import type { LiveRequest } from '../service/live/live-types.ts';
import { type App, useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { kept } from '../../../kit/kept.ts';
import type { explore } from '../service/service.ts';
import type { ChartChoices, Way } from '../curves/curve-choices.ts';
import type { Asked } from '../../../kit/report/matrix-times.ts';
import type { FormatParams } from '../../../state/index.ts';
import { createLive, type Live, type LiveState } from './live-times.ts';
import { type MeasuredSpeed, measuredSpeeds } from '../curves/measured-speeds.ts';
import { withValueType } from '../curves/variants.ts';

/** State and actions of the live measurement on the page. */
export interface LiveTimesOfPage extends LiveState {
  /** why it is not available here; null if it is */
  readonly refusal: string | null;
  /** speeds of the chosen formats at the last measured density */
  readonly speeds: readonly MeasuredSpeed[];
  readonly toggle: () => void;
  /** Call when the cursor moves. */
  readonly ask: (density: number) => void;
}

/** The page's live measurement, which chart and folds share. */
function liveOf(app: App): Live {
  return kept(app, createHere);
}

function createHere({ engine }: App): Live {
  return createLive({ service: engine.service<typeof explore>('explore'), now: () => performance.now() });
}

/** Ends the live measurement with the component, or when a run starts. */
export function useLiveEnds(): void {
  const live = liveOf(useApp());
  const isRunning = useSession((s) => s.bench.running !== null);
  useEffect(() => () => live.stop(), [live]);
  useEffect(() => {
    if (isRunning) live.stop();
  }, [live, isRunning]);
}

/** The page's live measurement. */
export function useLive(
  choices: Pick<ChartChoices, 'formats' | 'seed'> & { readonly way: Way; readonly at: number },
): LiveTimesOfPage {
  const app = useApp();
  const { formats } = app;
  const params = useDocument((doc) => doc.params);
  const device = useSession((s) => s.device);
  const isRunning = useSession((s) => s.bench.running !== null);
  const live = liveOf(app);
  const state = useStore(live.store);

  const refusal =
    device === null
      ? 'Looking for a GPU.'
      : device.kind === 'unavailable'
        ? `Live times need WebGPU. ${device.reason}`
        : device.environment.isFallback
          ? 'Live times need a graphics card.'
          : isRunning
            ? 'A benchmark is running: live times are available once it ends.'
            : choices.way === 'n-of-m'
              ? 'Live times are measured only for independent non-zeros: choose another way of pruning.'
              : null;

  const { formats: chosen, seed } = choices;
  const requestAt = useCallback(
    (density: number): LiveRequest => ({
      density,
      seed,
      entries: formats.flatMap((format) => {
        const own = withValueType(format, params[format.id], 'f16');
        const canRun = format.id !== referenceFormat.id && format.kernels.some((kernel) => kernel.operation === 'spmv');
        return own && canRun && chosen.includes(format.id) ? [{ format: format.id, params: own }] : [];
      }),
    }),
    [formats, params, chosen, seed],
  );
  const { shown } = state;
  const speeds = useMemo(() => {
    if (!shown) return [];
    const { report, request } = shown;
    const { workload } = report;
    const asked: Asked = {
      ...workload,
      tokens: 1,
      names: [workload.source],
      isEstimated: false,
      isEven: false,
    };
    const own = withValueType(referenceFormat, params[referenceFormat.id], 'f16');
    if (own === null) return [];
    const dense = { format: referenceFormat.id, params: own, spec: referenceFormat.params };
    return (request.entries ?? []).flatMap(({ format: id, params: given }) => {
      const format = formats.find((one) => one.id === id);
      if (!format || !chosen.includes(id)) return [];
      const query = { format: id, params: given as FormatParams, spec: format.params };
      return measuredSpeeds([report], asked, query, dense);
    });
  }, [shown, chosen, formats, params]);
  const ask = useCallback(
    (density: number) => {
      if (refusal === null) live.ask(requestAt(density));
    },
    [live, refusal, requestAt],
  );
  const { at } = choices;
  return {
    ...state,
    refusal,
    speeds: state.on ? speeds : NONE,
    toggle: () => {
      if (state.on) live.stop();
      else if (refusal === null) live.start(requestAt(at));
    },
    ask,
  };
}

const NONE: readonly MeasuredSpeed[] = [];
