import { useCallback, useDeferredValue, useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { referenceFormat } from '../../../../formats/catalog.ts';
import { type App, useApp, useDocument, useSession } from '../../../../kit/app-context.ts';
import { useChoices } from '../../../../kit/browser/choices.ts';
import type { explore } from '../../service/service.ts';
import { networkFields } from './fields.ts';
import { type Run, runOf } from './figures.ts';
import { createNetworkRuns, FIRST_LOOK, type NetworkRuns, resultOf } from './network-runs.ts';
import { keyOf, orderedFormats, planRuns } from './plan.ts';

const runsOfApp = new WeakMap<App['session'], NetworkRuns>();

/** The page's runs: their results stay when the question is left. */
function runsOf({ session, engine }: App): NetworkRuns {
  const known = runsOfApp.get(session);
  if (known) return known;
  const made = createNetworkRuns({
    service: engine.service<typeof explore>('explore'),
    resolveUrl: (path) => new URL(path, document.baseURI).href,
  });
  runsOfApp.set(session, made);
  return made;
}

/** The network's runs as far as they have come, and what is chosen of them. While it is shown, they go on by themselves. */
export function useNetwork() {
  const app = useApp();
  const runs = runsOf(app);
  const { running, results, error, stopped } = useStore(runs.store);
  const offered = useMemo(() => orderedFormats(app.formats, referenceFormat.id), [app.formats]);
  const fields = useMemo(() => networkFields(offered.map((f) => f.id)), [offered]);
  const [chosen, choose] = useChoices(fields);
  const params = useDocument((doc) => doc.params);
  const measuring = useSession((s) => s.bench.running !== null);

  const { prune, layers, where, images } = chosen;
  const formats = useMemo(() => offered.filter((f) => chosen.tried.includes(f.id)), [offered, chosen.tried]);
  const plan = useMemo(() => {
    const reference = app.formats.find((f) => f.id === referenceFormat.id) ?? app.formats[0];
    return planRuns({ ways: prune, formats, reference, params, layers, where });
  }, [app.formats, prune, formats, params, layers, where]);
  const run = useCallback(() => {
    if (runs.store.getState().stopped) runs.resume();
    else void runs.run(plan, images);
  }, [runs, plan, images]);

  // Opened, it runs by itself, unless a person has stopped it. Benchmarks run alone.
  const autoRun = !stopped && !measuring;
  useEffect(() => {
    if (autoRun) void runs.run(plan, images);
    else runs.cancel(false);
  }, [autoRun, runs, plan, images]);
  useEffect(() => () => runs.cancel(false), [runs]);

  const shown = useDeferredValue(results);
  const planned = useMemo(() => plan.map((choice) => resultOf(shown, choice, images)), [plan, shown, images]);
  const done = useMemo(() => plan.filter((choice) => shown.has(keyOf(choice, images))).length, [plan, shown, images]);
  const ran = useMemo(
    () => planned.flatMap((result) => (result ? (runOf(result) ?? []) : [])) satisfies readonly Run[],
    [planned],
  );
  // The answer compares networks on the same images: those of the first look, until every network has seen all.
  const compared = useMemo(() => {
    const first = Math.min(images, FIRST_LOOK);
    return done === plan.length
      ? ran
      : plan.flatMap((choice) => {
          const result = shown.get(keyOf(choice, first));
          return result ? (runOf(result) ?? []) : [];
        });
  }, [done, plan, ran, shown, images]);
  const refused = useMemo(() => planned.flatMap((r) => (r?.kind === 'refused' ? [r] : [])), [planned]);
  const whole = ran.find((r) => r.way === null) ?? null;
  const titleOf = useCallback((id: string): string => app.formats.find((f) => f.id === id)?.title ?? id, [app.formats]);
  return {
    offered,
    chosen,
    choose,
    formats,
    plan,
    running,
    error,
    run,
    cancel: () => runs.cancel(true),
    done,
    ran,
    compared,
    refused,
    whole,
    titleOf,
    measuring,
  };
}
