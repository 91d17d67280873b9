import { useCallback } from 'react';
import { useApp, useSession } from '../../../../kit/app-context.ts';
import type { FormatParams } from '../../../../state/index.ts';
import type { CurveChoices } from '../../curves/curve-choices.ts';
import { densitiesOf, sizeRequests, speedRequest } from '../../curves/run-requests.ts';
import { useSizeRuns } from '../../curves/size-runs.ts';
import type { Density } from '../../curves/use-curves.ts';

/** What can be measured of the question, and what is. */
export interface FormsMeasuring {
  readonly asked: readonly number[];
  /** of `asked`, on this device */
  readonly done: number;
  /** density of the matrix of the sentence if that is the subject: it is measured as it is */
  readonly ownDensity: number | null;
  readonly where: 'gpu' | 'cpu';
  /** why speeds cannot be measured now; null if they can */
  readonly speedProblem: string | null;
  readonly onMeasureSizes: () => void;
  readonly onMeasureSpeeds: () => void;
  /** resumes an interrupted run; null if there is none */
  readonly onGoOn: (() => void) | null;
}

export function useFormsMeasuring(
  choices: CurveChoices,
  density: Density,
  params: Readonly<Record<string, FormatParams>>,
): FormsMeasuring {
  const { formats, session } = useApp();
  const { sizes } = useSizeRuns();
  const summary = useSession((s) => s.summary);
  const running = useSession((s) => s.bench.running);
  const device = useSession((s) => s.device);
  const where = device?.kind === 'unavailable' ? 'cpu' : 'gpu';
  const { question, shown, quantised } = density;
  const isStage = choices.matrix === 'stage' && summary !== null;
  const speedProblem =
    !isStage && choices.way === 'n-of-m'
      ? 'Speeds are measured only for independent non-zeros: choose another way of pruning.'
      : null;
  const asked = isStage ? [summary.density] : densitiesOf(choices);
  const isThis = shown.device.kind === 'this';
  const done = asked.filter(
    (d) => isThis && density.speeds.some((s) => Math.abs(s.density - d) < 0.004 * Math.max(d, 0.05)),
  ).length;
  const runs = useSession((s) => s.bench.runs);
  /** an interrupted run of this question */
  const broken = runs.find(
    (run) =>
      run.rest?.axis?.of === 'density' &&
      run.reports.some(({ workload }) => workload.rows === question.rows && workload.cols === question.cols),
  );
  const goOn = useCallback(() => {
    if (broken && running === null) void session.continueBench(broken.id);
  }, [broken, running, session]);
  const onMeasureSpeeds = useCallback(() => {
    if (speedProblem !== null || running !== null) return;
    sizes.cancel();
    shown.release();
    const { request, axis: of } = speedRequest(choices, formats, params, where, quantised);
    void (of ? session.runSweep(request, of) : session.runBench(request));
  }, [speedProblem, running, session, sizes, shown, choices, formats, params, where, quantised]);
  const onMeasureSizes = (): void => void sizes.measure(density.subject, sizeRequests(choices, formats, params));

  return {
    asked,
    done,
    ownDensity: isStage ? summary.density : null,
    where,
    speedProblem,
    onMeasureSizes,
    onMeasureSpeeds,
    onGoOn: broken ? goOn : null,
  };
}
