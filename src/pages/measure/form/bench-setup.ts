/* The settings of a benchmark run on the page Measure, and its start. */

import { useStore } from 'zustand';
import { type App, useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { useMemo } from 'react';
import { equalChoices, type FormatChoice, choiceA, type BenchSetup } from '../../../state/index.ts';
import { formForPair, startRunOf } from '../../../kit/report/matrix-run.ts';

/** All that a run depends on: form, formats, parameters, device, open matrix, edited kernels (drafts), A and B. */
function benchSetup({ benchForm, document, session, formats }: Omit<App, 'announce'>): BenchSetup {
  const { device, summary: openMatrix, variants: drafts } = session.store.getState();
  const doc = document.getState();
  const pair = pairOf(choiceA(doc), doc.formatB);
  return { form: benchForm.getState(), params: doc.params, formats, device, openMatrix, drafts, pair };
}

/** `benchSetup` as a hook. */
export function useBenchSetup(): BenchSetup {
  const { benchForm, formats } = useApp();
  const form = useStore(benchForm);
  const params = useDocument((doc) => doc.params);
  const format = useDocument((doc) => doc.format);
  const against = useDocument((doc) => doc.formatB);
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

/** The setup of a run of A against B on the open matrix. */
export function pairSetup(app: App): BenchSetup {
  const setup = benchSetup(app);
  const { format, tokens } = app.document.getState();
  const group = app.formats.find(({ id }) => id === format)?.group ?? '';
  return { ...setup, form: formForPair(setup.form, { tokens, group }) };
}

/** Starts a run of Measure, or announces why it cannot. If a matrix is being opened, the run waits for it. */
export const startRun = (app: App): void => startRunOf(app, benchSetup);
