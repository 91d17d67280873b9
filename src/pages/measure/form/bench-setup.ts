/* The settings of a benchmark run on the page Measure, and its start. */

import type { Shape } from '../../../core/format.ts';
import { useStore } from 'zustand';
import { type App, useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { useMemo } from 'react';
import {
  equalChoices,
  type FormatChoice,
  choiceA,
  type BenchForm,
  type BenchSetup,
  FIRST_OPERATION,
  type OperationQuery,
  runProblem,
  toRequest,
  withOperation,
  withUsualOperation,
} from '../../../state/index.ts';
import { fastKernelsLoaded, withFastKernels } from '../../../kit/devices/page-recordings.ts';

/** All that a run depends on: form, formats, parameters, device, open matrix, edited kernels (drafts), A and B. */
function benchSetup({ benchForm, document, session, formats }: Omit<App, 'announce'>): BenchSetup {
  const { device, summary: openMatrix, variants: drafts } = session.store.getState();
  const doc = document.getState();
  const pair = pairOf(choiceA(doc), doc.against);
  return { form: benchForm.getState(), params: doc.params, formats, device, openMatrix, drafts, pair };
}

/** `benchSetup` as a hook. */
export function useBenchSetup(): BenchSetup {
  const { benchForm, formats } = useApp();
  const form = useStore(benchForm);
  const params = useDocument((doc) => doc.params);
  const format = useDocument((doc) => doc.format);
  const against = useDocument((doc) => doc.against);
  const pair = useMemo(() => pairOf({ format, params: params[format] ?? {} }, against), [format, params, against]);
  const device = useSession((s) => s.device);
  const openMatrix = useSession((s) => s.summary);
  const drafts = useSession((s) => s.variants);
  return { form, params, formats, device, openMatrix, drafts, pair };
}

/** A and B, the formats that the page compares; A alone if there is no B, or if B is the same. */
function pairOf(a: FormatChoice, b: FormatChoice | null): readonly FormatChoice[] {
  return b && !equalChoices(a, b) ? [a, b] : [a];
}

/** The settings of a run of A against B on the open matrix, with the operation that format and tokens need. */
export function formForPair(form: BenchForm, query: OperationQuery): BenchForm {
  const withNeededOperation = withUsualOperation(withOperation(form, FIRST_OPERATION), query);
  return { ...withNeededOperation, pair: true, workload: 'stage', memory: 'cold' };
}

/** Starts a run of Measure, or announces why it cannot. If a matrix is being opened, the run waits for it. */
export function startRun(app: App): void {
  start(app, benchSetup, toRequest);
}

/** Starts a run of A against B on a matrix of this shape that repeats the open one, which is too small to time. */
export function startRepeatedRun(app: App, repeatedTo: Shape): void {
  const setupForPair = (): BenchSetup => {
    const setup = benchSetup(app);
    const { format, tokens } = app.document.getState();
    const group = app.formats.find(({ id }) => id === format)?.group ?? '';
    return { ...setup, form: formForPair(setup.form, { tokens, group }) };
  };
  start(app, setupForPair, (setup) => ({ ...toRequest(setup), workload: { kind: 'stage', repeatedTo } }));
}

function start(
  app: App,
  setupOf: (app: App) => BenchSetup,
  requestOf: (setup: BenchSetup) => ReturnType<typeof toRequest>,
): void {
  void app.session.runBench(() => {
    const setup = setupOf(app);
    const problem = runProblem(setup);
    if (problem !== null) app.announce(problem);
    return problem === null ? withFastKernels(app, requestOf(setup)) : null;
  }, fastKernelsLoaded(app));
}
