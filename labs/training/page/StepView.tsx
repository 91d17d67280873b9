// The section of the page Training that times one step at a real size.

import paper from '../../../src/papers/twell/tables.json';
import type { AnyListedFormat } from '../../../src/core/format.ts';
import { countText, shapeText } from '../../../src/core/text/words.ts';
import type { bench } from '../../../src/engine/bench-service.ts';
import { referenceFormat } from '../../../src/formats/catalog.ts';
import { useApp } from '../../../src/kit/app-context.ts';
import { useChoices } from '../../../src/kit/browser/choices.ts';
import { FiguresTable } from '../../../src/kit/charts/ChartFoot.tsx';
import { Button } from '../../../src/kit/controls/Button.tsx';
import { JobProgress } from '../../../src/kit/controls/JobProgress.tsx';
import { Segmented } from '../../../src/kit/controls/Segmented.tsx';
import { cssColorOf } from '../../../src/kit/format-color.ts';
import { useJob } from '../../../src/kit/use-job.ts';
import { Note } from '../../../src/kit/primitives/Text.tsx';
import { paramWords } from '../../../src/kit/report/report-labels.ts';
import { Narration } from '../../../src/kit/stage/Narration.tsx';
import { bytes as bytesText, time } from '../../../src/kit/words/quantity.ts';
import { speedFromTimes, speedText } from '../../../src/kit/words/speed-of.ts';
import { dayText } from '../../../src/state/index.ts';
import { STEP_NON_ZEROS, STEP_PARTS, STEP_SHAPE, type StepPoint, type StepRun, stepNs } from '../theory/step.ts';
import { TRAINING_FIELDS } from './fields.ts';
import { RECORDED_STEP } from './recorded-runs.ts';
import { overflowText, stepWords } from './step-words.ts';
import { measureStep } from './measure-step.ts';
import type { TrainingService } from './service/service.ts';

/** Published gains of training with L1 and sparse kernels over training without, dense: table 1 of the TwELL paper. */
const PUBLISHED = paper.tables.scales.rows.filter(({ l1 }) => l1 > 0);

/** A section of the page: measures a training step on the GPU, dense and sparse, of a block as in the TwELL paper. */
export function StepView() {
  const { formats, engine } = useApp();
  const [{ mean: nonZeros }, choose] = useChoices(TRAINING_FIELDS); // `mean`, in the address: per token
  const { job, error, isCancelled, latest, startWith, cancel } = useJob<StepRun>(['Training step'], null, {
    title: 'Step at real size',
  });
  const measure = (): void => {
    const services = {
      training: engine.service<TrainingService>('training'),
      bench: engine.service<typeof bench>('bench'),
    };
    // The chosen number of non-zeros first, since each takes a minute.
    const counts = STEP_NON_ZEROS.toSorted((a, b) => Number(String(b) === nonZeros) - Number(String(a) === nonZeros));
    startWith(measureStep(services, STEP_SHAPE, counts));
  };
  const run = latest ?? RECORDED_STEP;
  const point = run.points.find(({ mean }) => String(mean) === nonZeros);
  const format = formats.find(({ id }) => id === (point ?? run.points[0])?.format);
  const title = format?.title ?? 'sparse';
  // Shows that a measurement broke off until the user chooses another number of non-zeros.
  const ending = error ?? (isCancelled ? 'The measurement was cancelled.' : null);
  const { tokens, width, hidden } = run.shape;
  return (
    <div className="grid gap-4 max-w-[48rem] [&_.segmented_span]:px-2 [&_.segmented_span]:whitespace-nowrap">
      <Narration words={ending === null ? stepWords(run, point, title) : [{ text: ending }]} />
      <p className="text-muted text-13">
        {latest ? `measured here, on ${run.on}` : `recorded on ${run.on}, ${dayText(RECORDED_STEP.date)}`} · block of{' '}
        {shapeText(width, hidden)}, {countText(tokens)} tokens
      </p>
      <div className="flex flex-wrap items-end gap-y-2 gap-x-6 mb-3">
        {job ? null : (
          <Button className="min-w-20" onClick={measure}>
            Measure the step
          </Button>
        )}
        <Segmented
          label="non-zeros per token"
          value={nonZeros}
          options={STEP_NON_ZEROS.map((count) => ({ value: String(count), label: countText(count) }))}
          onChange={(next) => choose({ mean: next })}
        />
      </div>
      {job && <JobProgress job={job} onCancel={cancel} />}
      {point && <StepBars point={point} format={format} title={title} />}
      {point && <Overflow point={point} format={format} />}
      <Published />
    </div>
  );
}

/** The parameters of the sparse format that were tried, and the overflow that the forward pass reported for each. */
function Overflow({ point, format }: Omit<StepBarsProps, 'title'>) {
  const textOf = (params: Readonly<Record<string, unknown>>): string =>
    Object.entries(params)
      .filter(([name]) => name !== 'valueType')
      .map(([name, value]) => `${paramWords(format, name).title} ${paramWords(format, name).valueText(value)}`)
      .join(', ');
  const retryText = overflowText(point, bytesText);
  return (
    <section aria-label="Overflow">
      <p className="text-13 font-semibold mb-1">Overflow</p>
      <FiguresTable
        caption="Parameters that were tried"
        head={['parameters', 'forward pass']}
        rows={point.attempts.map(({ params, overflow }) => ({
          name: textOf(params),
          cells: [overflow ?? 'no overflow'],
        }))}
      />
      {retryText !== null && <Note>{retryText}</Note>}
    </section>
  );
}

interface StepBarsProps {
  readonly point: StepPoint;
  readonly format: AnyListedFormat | undefined;
  readonly title: string;
}

/** The width of the longest bar, %, which leaves space for its number. */
const MAX_BAR_PERCENT = 82;

/** The opacity of a bar's segments, by part of the step. */
const OPACITY = { forward: 1, backward: 0.6, update: 0.3 } as const;

/** Bars of time and of stored bytes, and the same figures as a table. */
function StepBars({ point, format, title }: StepBarsProps) {
  const rows = [
    { side: 'reference', id: referenceFormat.id, name: referenceFormat.title },
    { side: 'sparse', id: format?.id ?? '', name: title },
  ] as const;
  const totals = rows.map(({ side }) =>
    STEP_PARTS.reduce((sum, { id }) => sum + (point.parts[id]?.[side]?.medianNs ?? 0), 0),
  );
  const longest = Math.max(1, totals[0], totals[1]);
  const { kept } = point;
  const largest = Math.max(kept.reference, kept.sparse);
  return (
    <>
      <div className="grid gap-2" aria-hidden="true">
        <p className="text-13 font-semibold mb-1">Time of a step</p>
        {rows.map(({ side, id, name }, i) => (
          <div
            key={side}
            className="grid grid-cols-[4rem_1fr] gap-2 items-center text-13"
            style={{ '--bar': cssColorOf(id) }}
          >
            <span>{name}</span>
            <span className="flex items-center min-w-0">
              {STEP_PARTS.map(({ id: part }) => (
                <i
                  key={part}
                  className="flex-none h-5 bg-(--bar)"
                  style={{
                    width: `${(MAX_BAR_PERCENT * (point.parts[part]?.[side]?.medianNs ?? 0)) / longest}%`,
                    opacity: OPACITY[part],
                  }}
                />
              ))}
              <b className="font-medium whitespace-nowrap ps-2">{totals[i] > 0 ? time(totals[i]) : 'not timed'}</b>
            </span>
          </div>
        ))}
        <p className="flex gap-4 text-13">
          {STEP_PARTS.map(({ id }) => (
            <span key={id}>
              <i className="inline-block size-3 bg-muted" style={{ opacity: OPACITY[id] }} /> {id}
            </span>
          ))}
        </p>
        <p className="text-13 font-semibold mb-1">Kept for backward</p>
        {rows.map(({ side, id, name }) => (
          <div
            key={side}
            className="grid grid-cols-[4rem_1fr] gap-2 items-center text-13"
            style={{ '--bar': cssColorOf(id) }}
          >
            <span>{name}</span>
            <span className="flex items-center min-w-0">
              <i
                className="flex-none h-5 bg-(--bar)"
                style={{ width: `${(MAX_BAR_PERCENT * kept[side]) / largest}%` }}
              />
              <b className="font-medium whitespace-nowrap ps-2">{bytesText(kept[side])}</b>
            </span>
          </div>
        ))}
      </div>
      <FiguresTable
        caption="Parts of a training step"
        head={['part', referenceFormat.title, title, 'times as fast']}
        rows={[
          ...STEP_PARTS.map(({ id }) => {
            const part = point.parts[id];
            const textOf = (side: 'reference' | 'sparse'): string => {
              const partTime = part?.[side];
              return partTime ? time(partTime.medianNs) : '–';
            };
            const { ratio = null, isRight = true } = part ?? {};
            return {
              name: isRight ? id : `${id}, a kernel was wrong`,
              cells: [
                textOf('reference'),
                textOf('sparse'),
                ratio === null
                  ? '–'
                  : speedText(
                      speedFromTimes(part?.sparse?.medianNs, part?.reference?.medianNs, {
                        ratio,
                        p10: ratio,
                        p90: ratio,
                      }),
                    ),
              ],
            };
          }),
          sumRow(point),
        ]}
      />
      <p className="text-muted text-13">Median of {countText(point.parts.forward?.rounds ?? 0)} rounds.</p>
    </>
  );
}

/** The row of the whole step, the sum of its parts. */
function sumRow(point: StepPoint): { readonly name: string; readonly cells: readonly string[] } {
  const [dense, sparse] = [stepNs(point, 'reference'), stepNs(point, 'sparse')];
  const times = [dense, sparse].map((ns) => (ns === null ? '–' : time(ns)));
  return {
    name: 'step (sum)',
    cells: [...times, dense !== null && sparse !== null ? speedText(speedFromTimes(sparse, dense)) : '–'],
  };
}

/** The measurements of the paper. */
function Published() {
  return (
    <aside aria-label="Published">
      <p className="text-13 font-semibold mb-1">Published, whole models</p>
      <FiguresTable
        caption="Published gains"
        head={['model', 'training speed', 'peak memory']}
        rows={PUBLISHED.map(({ name, trainingChange, memoryChange }) => ({
          name,
          cells: [changeText(trainingChange), changeText(memoryChange)],
        }))}
      />
      <Note>
        <a href={paper.url} rel="noreferrer">
          {paper.paper}
        </a>
        , {paper.tables.scales.place}. On {paper.tables.scales.on}. Against {paper.tables.scales.rival}. Here: one
        block, without tensor cores.
      </Note>
    </aside>
  );
}

/** '+11.6 %', '−1.5 %' */
function changeText(percent: number): string {
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)}\u202f%`;
}
