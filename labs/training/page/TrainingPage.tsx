// The page Training: settings, curves and buttons of a training run, or its story.

import './training.css';
import { useMemo, useState } from 'react';
import { defaultParams } from '../../../src/core/format.ts';
import { type App, useApp } from '../../../src/kit/app-context.ts';
import { useChoices } from '../../../src/kit/browser/choices.ts';
import { lazyPart } from '../../../src/kit/browser/lazy-part.ts';
import { PageChoices } from '../../../src/kit/browser/PageChoices.tsx';
import { saveText } from '../../../src/kit/browser/save-blob.ts';
import { Button, TextButton } from '../../../src/kit/controls/Button.tsx';
import { JobProgress } from '../../../src/kit/controls/JobProgress.tsx';
import { AnswerLine } from '../../../src/kit/frame/AnswerLine.tsx';
import { Details } from '../../../src/kit/frame/Details.tsx';
import { useUserRun } from '../../../src/kit/frame/shell-context.ts';
import { failureText } from '../../../src/state/index.ts';
import { type BatchActivations, type RunSettings, COEFFICIENTS } from '../theory/run.ts';
import type { TrainingService } from './service/service.ts';
import { NetworkAndPaper } from './NetworkAndPaper.tsx';
import { TRAINING_ADDRESS } from './address.ts';
import { Curves } from './Curves.tsx';
import { TRAINING_FIELDS } from './fields.ts';
import { isSameRun, recordedRun } from './recorded-runs.ts';
import { StepView } from './StepView.tsx';
import { type Run, useTraining } from './use-training.ts';
import { runCsv, runJson } from './run-export.ts';
import { trainingWords } from './run-words.ts';
import { Checkbox } from '../../../src/kit/controls/Checkbox.tsx';
import { NumberInput } from '../../../src/kit/controls/NumberInput.tsx';
import { LiveSlider } from '../../../src/kit/forms/LiveSlider.tsx';

const Story = lazyPart(async () => (await import('./story/TrainingStory.tsx')).StoryPage);

/** The page Training: a network learns to set most of its activations to 0, shown as curves or as a story. */
export function TrainingPage() {
  return (
    <PageChoices page={TRAINING_ADDRESS}>
      <TrainingOrStory />
    </PageChoices>
  );
}

function TrainingOrStory() {
  const app = useApp();
  const [{ story }, choose] = useChoices(TRAINING_FIELDS);
  if (!story) return <TrainingRun />;
  return <Story onClose={() => choose({ story: false })} onOpen={(batch) => void openBatch(app, batch)} />;
}

/** Opens the activations of a batch in Watch, with formats for activations as A and B; announces an error. */
export async function openBatch({ session, engine, formats, announce }: App, batch: BatchActivations): Promise<void> {
  const file = engine.service<TrainingService>('training').file({}, batch);
  const bytes = await file.catch((error: unknown) => announce(failureText(error, 'Opening the activations')));
  if (!bytes) return;
  await session.openFiles([new File([bytes], `gate-after-step-${batch.step}.npy`)]);
  const [a, b] = formats.filter(({ group }) => group === 'activations');
  if (a) session.setChoiceA({ format: a.id, params: defaultParams(a.params) });
  if (b) session.setAgainst({ format: b.id, params: defaultParams(b.params) });
  session.follow('stage');
}

/** Returns the results for these settings: of the run in this browser, or of a recorded run. */
function useVisibleResults(settings: RunSettings, run: Run | null, isRunning: boolean) {
  const recorded = useMemo(() => recordedRun(settings), [settings]);
  const userRun = run !== null && (isRunning || isSameRun(run.settings, settings)) ? run : null;
  // In the background of this run's curves: the recorded run without later changes of the L1 coefficient.
  const background = userRun && recordedRun({ ...userRun.settings, l1Changes: userRun.settings.l1Changes.slice(0, 1) });
  const isRecorded = userRun === null && recorded !== null;
  return {
    userRun,
    test: userRun ? userRun.test : (recorded?.test ?? null),
    points: userRun?.points ?? recorded?.points ?? NO_POINTS,
    background: background?.points ?? NO_POINTS,
    isRecorded,
  };
}

/** A constant array, so that charts do not see a new value in each render. */
const NO_POINTS: never[] = [];

/** Curves, settings and buttons of a run. */
function TrainingRun() {
  const app = useApp();
  const [{ l1: l1Changes, seed, reinit, warmup, fold }, choose] = useChoices(TRAINING_FIELDS);
  const settings = useMemo<RunSettings>(
    () => ({ seed, l1Changes, reinitialises: reinit, warmsUp: warmup }),
    [seed, l1Changes, reinit, warmup],
  );
  const { job, error, isCancelled, run, pendingL1, isPaused, start, setPaused, setL1, cancel } = useTraining();
  const isRunning = job !== null;
  const { userRun, test, points, background, isRecorded } = useVisibleResults(settings, run, isRunning);
  // A run keeps the settings it began with; `settings` are those of the next one.
  const current = userRun?.settings ?? settings;
  const last = points.at(-1);
  const [linkedDetails] = useState(fold[0]);
  const train = useMemo(
    () => (isRunning ? null : () => start(settings, (l1) => choose({ l1 }))),
    [isRunning, start, settings, choose],
  );
  useUserRun(train); // what the button Run and its key do here
  const words = trainingWords({ settings: current, test, last, error, isCancelled: isCancelled && !test });
  const batch = userRun?.batch ?? null;
  // The coefficient of L1 in the control: of the current step, or the one that was chosen and not yet used.
  const l1 = isRunning
    ? (pendingL1 ?? current.l1Changes.findLast(({ step }) => step <= (last?.step ?? 0))?.l1 ?? 0)
    : l1Changes[0].l1;
  return (
    <main
      className="flex flex-col gap-3 min-w-0 min-h-0 flex-1 px-(--page-margin) max-sm:px-4 pt-5 overflow-x-hidden overflow-y-auto [scrollbar-gutter:stable] *:flex-none"
      id="content"
      tabIndex={-1}
    >
      <AnswerLine words={words} waitingText="" isAnnounced={!isRunning} />
      <p className="underlined text-muted text-13">
        <b className="text-ink">Training</b> · {isRecorded ? 'recorded' : userRun ? 'run here' : 'not run yet'} · drawn
        digits, CPU · <TextButton onClick={() => choose({ story: true })}>watch it as a story</TextButton>
      </p>
      <section className="flex flex-wrap items-end gap-y-2 gap-x-6 mb-3 [&_.check]:min-h-8" aria-label="Training">
        {train ? (
          <Button kind="solid" className="min-w-20" onClick={train}>
            Train
          </Button>
        ) : (
          <Button className="min-w-20" onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Go on' : 'Pause'}
          </Button>
        )}
        <Settings
          settings={isRunning ? current : settings}
          l1={l1}
          isRunning={isRunning}
          onL1={(next) => (isRunning ? setL1(next) : choose({ l1: [{ step: 0, l1: next }] }))}
          onChange={({ seed: nextSeed = seed, reinitialises = reinit, warmsUp = warmup }) =>
            choose({ seed: nextSeed, reinit: reinitialises, warmup: warmsUp })
          }
        />
      </section>
      {job && <JobProgress job={job} onCancel={cancel} />}
      {run?.interruption !== undefined && userRun === run && (
        <p className="text-muted" role="status">
          {run.interruption}
        </p>
      )}
      <Curves points={points} background={background} l1Changes={current.l1Changes} />
      <div className="underlined flex flex-wrap gap-y-2 gap-x-5 min-h-6">
        {batch && (
          <TextButton onClick={() => void openBatch(app, batch)}>
            Open the activations of step {batch.step} in Watch
          </TextButton>
        )}
        {last && (
          <>
            <TextButton onClick={() => saveText('sparsescope-training.csv', runCsv({ points }), 'text/csv')}>
              save CSV
            </TextButton>
            <TextButton
              onClick={() =>
                saveText('sparsescope-training.json', runJson({ settings: current, points, test }), 'application/json')
              }
            >
              save JSON
            </TextButton>
          </>
        )}
      </div>
      <Details
        sections={[
          { id: 'step', title: 'a step at real size', content: <StepView /> },
          { id: 'paper', title: 'network and paper', content: <NetworkAndPaper /> },
        ]}
        open={fold}
        onOpen={(next) => choose({ fold: next })}
        {...(linkedDetails !== undefined && { linked: linkedDetails })}
      />
    </main>
  );
}

interface SettingsProps {
  readonly settings: RunSettings;
  /** the coefficient that the slider shows */
  readonly l1: number;
  /** during a run only the coefficient can be changed, from the next point of the curves on */
  readonly isRunning: boolean;
  readonly onL1: (l1: number) => void;
  readonly onChange: (changed: Partial<Pick<RunSettings, 'seed' | 'reinitialises' | 'warmsUp'>>) => void;
}

/** The controls for the settings of a training run: L1, two switches and the seed. */
function Settings({ settings: { seed, reinitialises, warmsUp }, l1, isRunning, onL1, onChange }: SettingsProps) {
  return (
    <>
      <div className="w-64 max-sm:w-full">
        <LiveSlider
          label={isRunning ? 'L1 from the next point' : 'L1 coefficient'}
          min={0}
          max={COEFFICIENTS.length - 1}
          step={1}
          value={COEFFICIENTS.indexOf(l1)}
          format={(index) => String(COEFFICIENTS[index])}
          onChange={(index) => onL1(COEFFICIENTS[index])}
        />
      </div>
      <Checkbox checked={reinitialises} disabled={isRunning} onChange={(value) => onChange({ reinitialises: value })}>
        reinitialise dead neurons
      </Checkbox>
      <Checkbox checked={warmsUp} disabled={isRunning} onChange={(checked) => onChange({ warmsUp: checked })}>
        warm-up
      </Checkbox>
      {!isRunning && (
        <div className="[&_.input]:w-28">
          <NumberInput
            label="seed"
            value={seed}
            min={0}
            max={2 ** 31 - 1}
            isInteger
            onChange={(next) => onChange({ seed: next })}
          />
        </div>
      )}
    </>
  );
}
