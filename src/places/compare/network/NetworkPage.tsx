import './network.css';
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { referenceFormat } from '../../../formats/catalog.ts';
import { type App, useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { saveText } from '../../../kit/browser/save-blob.ts';
import { QuestionFrame } from '../../../kit/frame/QuestionFrame.tsx';
import { useOwnRun } from '../../../kit/frame/shell-context.ts';
import { Answer } from '../../../kit/frame/Answer.tsx';
import { useChoices } from '../../../kit/browser/choices.ts';
import type { explore } from '../service/service.ts';
import { AtDensity } from './AtDensity.tsx';
import { ChangedAnswers } from './ChangedAnswers.tsx';
import { resultsCsv, resultsJson } from './exports.ts';
import { LEAST_DENSITY, networkFields } from './fields.ts';
import { answerWords, type Run, runOf } from './figures.ts';
import { Gates } from './Gates.tsx';
import { LanguageModels } from './LanguageModels.tsx';
import { LossCharts } from './LossCharts.tsx';
import { createNetworkRuns, FIRST_LOOK, type NetworkRuns, resultOf } from './network-runs.ts';
import { NetworkForm } from './NetworkForm.tsx';
import { OneDigit } from './OneDigit.tsx';
import { keyOf, orderedFormats, planRuns, WAY_WORDS } from './plan.ts';

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

/** The cost of pruning: a network that really runs, pruned, quantised and both, and papers on language models. */
export function NetworkPage({ wide }: { readonly wide: boolean }) {
  const app = useApp();
  const runs = runsOf(app);
  const { running, results, error, stopped } = useStore(runs.store);
  const offered = useMemo(() => orderedFormats(app.formats, referenceFormat.id), [app.formats]);
  const fields = useMemo(() => networkFields(offered.map((f) => f.id)), [offered]);
  const [chosen, choose] = useChoices(fields);
  const params = useDocument((doc) => doc.params);
  const measuring = useSession((s) => s.bench.running !== null);

  const { prune, layers, where, images } = chosen;
  const formats = useMemo(() => offered.filter((f) => chosen.formats.includes(f.id)), [offered, chosen.formats]);
  const plan = useMemo(() => {
    const reference = app.formats.find((f) => f.id === referenceFormat.id) ?? app.formats[0];
    return planRuns({ ways: prune, formats, reference, params, layers, where });
  }, [app.formats, prune, formats, params, layers, where]);
  const run = useCallback(() => {
    if (runs.store.getState().stopped) runs.resume();
    else void runs.run(plan, images);
  }, [runs, plan, images]);
  useOwnRun(run);

  // Runs by itself, since nothing else here would show anything, unless a person has stopped it. Benchmarks run alone.
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
  // The pruned network for the digit; the cursor moves faster than networks are built.
  const at = useDeferredValue(chosen.at);
  const [strong, setStrong] = useState<string | null>(null);

  const form = (
    <NetworkForm
      chosen={chosen}
      choose={choose}
      formats={offered}
      running={running}
      error={error}
      done={done}
      of={plan.length}
      onRun={run}
      onCancel={() => runs.cancel(true)}
    />
  );
  const imagesText =
    done === plan.length || images <= FIRST_LOOK
      ? `${images} test images`
      : `${FIRST_LOOK} test images so far, ${done} of ${plan.length} networks on all ${images}`;
  const ways = prune.map((way) => WAY_WORDS[way]);
  const answer = (
    <>
      <Answer
        about={`digits, 256-512-512-10 · ${imagesText} · pruned ${ways[0] ?? 'in no way'} · products on the ${where === 'gpu' ? 'GPU' : 'CPU'}`}
        words={answerWords(compared, compared.find((r) => r.way === null) ?? null, titleOf)}
        exports={[
          {
            label: 'CSV',
            title: 'Save every run as CSV',
            save: () => saveText('sparsescope-network.csv', resultsCsv(ran), 'text/csv'),
          },
          {
            label: 'JSON',
            title: 'Save every run as JSON',
            save: () => saveText('sparsescope-network.json', resultsJson(ran, refused), 'application/json'),
          },
        ]}
      />
      <LossCharts
        runs={ran}
        whole={whole}
        ways={prune}
        formats={formats}
        titleOf={titleOf}
        at={chosen.at}
        onMove={(density) => choose({ at: Math.max(LEAST_DENSITY, Number(density.toFixed(3))) })}
        strong={strong}
        onStrong={setStrong}
      />
    </>
  );
  const atCursor = (
    <>
      <AtDensity runs={ran} refused={refused} whole={whole} at={at} titleOf={titleOf} way={prune[0]} />
      <ChangedAnswers
        runs={ran}
        whole={whole}
        at={at}
        way={prune[0]}
        titleOf={titleOf}
        onPick={(image) => choose({ image })}
      />
    </>
  );
  const more = (
    <>
      <OneDigit
        chosen={chosen}
        choose={choose}
        at={at}
        format={formats[0] ?? offered[0]}
        busy={measuring}
        titleOf={titleOf}
      />
      <LanguageModels />
      <Gates />
    </>
  );
  return (
    <QuestionFrame
      wide={wide}
      name="Answer"
      className="network"
      narrow="right first"
      leastCentre={420}
      more={more}
      left={{ name: 'Choices', width: 'Width of the choices', least: 220, most: 420, content: form }}
      right={{ name: 'At this density', width: 'Width of the table', least: 260, most: 480, content: atCursor }}
    >
      {answer}
    </QuestionFrame>
  );
}
