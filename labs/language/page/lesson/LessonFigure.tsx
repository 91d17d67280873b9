// The figures of Language's lessons.

import { useEffect, useEffectEvent, useMemo } from 'react';
import type { PageFigureProps } from '../../../../src/kit/page-parts.ts';
import { useQuality } from '../../overrides/use-quality.ts';
import { lessonAddress, type ComparedQuantity } from './address.ts';
import { LessonTexts } from './LessonTexts.tsx';
import { JobProgress } from '../../../../src/kit/controls/JobProgress.tsx';
import type { RecordedQuality, RecordedRow } from '../../decoders/quality/recorded-quality.ts';
import { measuredModel } from './facts.ts';
import { brokenIn, LAW_GROUPS } from './law-groups.ts';
import { untrainedRecipe, rowTitle } from './measured-models.ts';
import { largest, smallest } from '../../../../src/core/number/statistics.ts';
import { counted } from '../../../../src/core/text/words.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { type Job, useJob } from '../../../../src/kit/use-job.ts';
import { modelAddress } from '../../overrides/model-files.ts';
import type { MeasuredQuality } from '../service/types.ts';
import type { LanguageService } from '../service/service.ts';

/** Tales (short stories) measured here for each model: enough to show the large differences in lessons. */
const LIVE_TALES = 12;

/** Measurements by the title of the model (`rowTitle`). */
type MeasuredByRow = ReadonlyMap<string, MeasuredQuality>;

/** Measures models in this browser, one after another, on a few tales that they write (`isJudged`) or read. */
function useMeasuredHere(model: string, rows: readonly RecordedRow[], isJudged: boolean): Job<MeasuredByRow> {
  const { engine } = useApp();
  return useJob<MeasuredByRow>(
    ['Measuring a lesson’s models', model, rows.map(rowTitle), isJudged],
    async ({ signal, onProgress, show }, { lastOfSameKey, update }) => {
      const counts = isJudged ? { tales: 0, judged: LIVE_TALES } : { tales: LIVE_TALES, judged: 0 };
      let measuredByRow: MeasuredByRow = lastOfSameKey ?? new Map();
      for (const row of rows) {
        const recipe = untrainedRecipe(row);
        if (!recipe) continue;
        const report = (measuredQuality: MeasuredQuality): void => {
          measuredByRow = new Map(measuredByRow).set(rowTitle(row), measuredQuality);
          update(measuredByRow);
        };
        show({ title: `Measuring ${rowTitle(row)}` });
        const request = { model: modelAddress(model), recipe, ...counts };
        let isComplete = false;
        const service = engine.service<LanguageService>('language');
        const result = await service.quality({ signal, onProgress }, request, (partialResult) => {
          // A partial result that arrives after the result is already contained in it.
          if (!isComplete) report(partialResult);
        });
        isComplete = true;
        report(result);
        if (signal.aborted) return measuredByRow;
      }
      return measuredByRow;
    },
    { title: 'Measuring', manual: true, cancelWhenUnmounted: true },
  );
}

const NOTHING_MEASURED: MeasuredByRow = new Map();

/** The note about the thin bars: on how many tales they are measured so far. */
export function liveText(measuredByRow: MeasuredByRow, quantity: ComparedQuantity): string {
  const counts = [...measuredByRow.values()].map(({ tales, judged }) => (quantity === 'bits' ? tales : judged));
  const [min, max] = [smallest(counts), largest(counts)];
  const tales = min === max ? counted(max, 'tale') : `${min} to ${max} tales`;
  return `The thin bars were measured in this browser, on ${tales}.`;
}

interface ComparedProps {
  readonly quality: RecordedQuality;
  readonly quantity: ComparedQuantity;
  /** names of measured models */
  readonly rows: readonly string[];
  /** hides what would reveal an answer */
  readonly hidden: boolean;
  /** the lesson has a question about the models: once it is answered, a wide page measures them without a click */
  readonly isQuestion: boolean;
  readonly isWide: boolean;
}

const TITLES: Readonly<Record<ComparedQuantity, string>> = {
  bits: 'Bits per byte',
  unbroken: 'Unbroken tales',
  laws: 'What breaks first',
};

/** Measured models side by side: the recording, and below it the measurement in this browser. */
function Compared({ quality, quantity, rows: names, hidden, isQuestion, isWide }: ComparedProps) {
  const rows = useMemo(() => names.map((name) => measuredModel(quality, name)), [quality, names]);
  const live = useMeasuredHere(quality.model, rows, quantity !== 'bits');
  const measuredByRow = live.data ?? NOTHING_MEASURED;
  // A phone requests consent before it loads a model.
  const startSoon = useEffectEvent(() => {
    if (isWide) live.start();
  });
  useEffect(() => {
    if (isQuestion && !hidden) startSoon();
  }, [isQuestion, hidden]);
  const canMeasure = !hidden && rows.some((row) => untrainedRecipe(row) !== null);
  return (
    <>
      <h3 className="text-15">
        {TITLES[quantity]}{' '}
        <span className="section-caption">
          {quantity === 'bits' ? 'less is better' : `of ${judgedOf(rows)} tales that each model wrote`}
        </span>
      </h3>
      <Bars quality={quality} quantity={quantity} rows={rows} measuredByRow={measuredByRow} hidden={hidden} />
      <div role="status">
        {live.job && <JobProgress job={live.job} onCancel={live.cancel} />}
        {live.error !== null && <p className="text-danger col-span-full">{live.error}</p>}
        <p className="underlined text-muted text-12">
          Recorded on {quality.tales} tales{quantity === 'bits' && ' that no model had read'}, {quality.date}.{' '}
          {measuredByRow.size > 0 && `${liveText(measuredByRow, quantity)} `}
          {canMeasure && live.job === null && measuredByRow.size === 0 && (
            <TextButton onClick={live.start}>Measure it here, on {LIVE_TALES} tales</TextButton>
          )}
        </p>
      </div>
    </>
  );
}

/** A lesson's figure: the texts of a model, or a comparison of its pruned and rounded versions. */
export function LessonFigure({ document, question, isAnswered, isWide }: PageFigureProps) {
  const { model, compared } = useMemo(() => lessonAddress(document), [document]);
  const quality = useQuality(model);
  if (!quality)
    return <div className="grid content-start gap-4 max-sm:gap-3 py-4 max-sm:py-2 max-w-[48rem]" aria-busy="true" />;
  const hidden = question !== null && !isAnswered;
  return (
    <div className="grid content-start gap-4 max-sm:gap-3 py-4 max-sm:py-2 max-w-[48rem]">
      {compared ? (
        <Compared quality={quality} {...compared} hidden={hidden} isQuestion={question !== null} isWide={isWide} />
      ) : (
        <LessonTexts quality={quality} document={document} />
      )}
    </div>
  );
}

/** Number of tales that each model wrote, the same for all of a recording. */
function judgedOf(rows: readonly RecordedRow[]): number {
  return rows.reduce((max, { judged = 0 }) => Math.max(max, judged), 0);
}

interface BarsProps {
  readonly quality: RecordedQuality;
  readonly quantity: ComparedQuantity;
  readonly rows: readonly RecordedRow[];
  /** measured in this browser, by the title of the model */
  readonly measuredByRow: MeasuredByRow;
  /** hides the values in question */
  readonly hidden: boolean;
}

/** Models side by side, as bars. */
export function Bars({ quality, quantity, rows, measuredByRow, hidden }: BarsProps) {
  if (quantity !== 'laws')
    return <Values quality={quality} quantity={quantity} rows={rows} measuredByRow={measuredByRow} hidden={hidden} />;
  return rows.map((row) => (
    <Laws
      key={rowTitle(row)}
      row={row}
      measuredQuality={measuredByRow.get(rowTitle(row)) ?? null}
      hidden={hidden && row.way !== 'none'}
    />
  ));
}

interface ValuesProps extends BarsProps {
  readonly quantity: 'bits' | 'unbroken';
}

/** A bar for each model, as long as its bits per byte or its unbroken tales. */
function Values({ quality, quantity, rows, measuredByRow, hidden }: ValuesProps) {
  const isBits = quantity === 'bits';
  const valueOf = (row: RecordedRow): number => (isBits ? row.bitsPerByte : (row.unbroken ?? 0));
  const measuredOf = (row: RecordedRow): MeasuredQuality | null => {
    const measuredQuality = measuredByRow.get(rowTitle(row));
    return measuredQuality && (isBits ? measuredQuality.tales : measuredQuality.judged) > 0 ? measuredQuality : null;
  };
  const visibleRows = rows.filter((row) => !hidden || row.way === 'none');
  // The floor, the fewest bits that any model can reach, differs a little for the few tales measured here.
  const measuredFloor = rows.map(measuredOf).find((measuredQuality) => measuredQuality !== null)?.floor;
  const measuredBits = rows.map((row) => measuredOf(row)?.bitsPerByte ?? 0);
  const max = isBits
    ? Math.max(quality.floor.exact, ...visibleRows.map(valueOf), ...measuredBits) // bounded: rows of a figure
    : judgedOf(rows);
  return (
    <ol className="grid gap-2 list-none">
      {isBits && (
        <ModelBar
          title="best possible"
          kind="floor"
          share={quality.floor.exact / max}
          value={quality.floor.exact.toFixed(4)}
          measuredHere={
            measuredFloor === undefined ? null : { share: measuredFloor / max, value: measuredFloor.toFixed(4) }
          }
        />
      )}
      {rows.map((row) => {
        const title = rowTitle(row);
        const kind = row.way === 'none' && row.valueType === 'f16' ? 'unpruned' : 'pruned';
        if (!visibleRows.includes(row))
          return <ModelBar key={title} title={title} kind="hidden" share={HIDDEN_SHARE} value="?" />;
        const value = valueOf(row);
        const measuredQuality = measuredOf(row);
        return (
          <ModelBar
            key={title}
            title={title}
            kind={kind}
            share={value / max}
            value={isBits ? value.toFixed(4) : String(value)}
            measuredHere={
              measuredQuality &&
              (isBits
                ? { share: measuredQuality.bitsPerByte / max, value: measuredQuality.bitsPerByte.toFixed(4) }
                : {
                    share: measuredQuality.unbroken / measuredQuality.judged,
                    value: `${measuredQuality.unbroken} of ${measuredQuality.judged}`,
                  })
            }
          />
        );
      })}
    </ol>
  );
}

interface LawsProps {
  readonly row: RecordedRow;
  /** measured in this browser */
  readonly measuredQuality: MeasuredQuality | null;
  readonly hidden: boolean;
}

/** How many tales broke a law of their world (grammar, who owns what), by the law that each broke first. */
function Laws({ row, measuredQuality, hidden }: LawsProps) {
  const judged = Math.max(1, row.judged ?? 0);
  const broken = judged - (row.unbroken ?? 0);
  return (
    <section>
      <h4 className="text-15 mb-1">
        {rowTitle(row)} <span className="section-caption">{broken} broken</span>
      </h4>
      <ol className="grid gap-2 list-none">
        {LAW_GROUPS.map(({ title, laws }) => {
          if (hidden) return <ModelBar key={title} title={title} kind="hidden" share={HIDDEN_SHARE} value="?" />;
          const count = brokenIn(row, laws);
          const measuredCount = measuredQuality && measuredQuality.judged > 0 ? brokenIn(measuredQuality, laws) : null;
          return (
            <ModelBar
              key={title}
              title={title}
              kind={row.way === 'none' ? 'unpruned' : 'pruned'}
              share={count / judged}
              value={String(count)}
              measuredHere={
                measuredCount === null || !measuredQuality
                  ? null
                  : {
                      share: measuredCount / measuredQuality.judged,
                      value: `${measuredCount} of ${measuredQuality.judged}`,
                    }
              }
            />
          );
        })}
      </ol>
    </section>
  );
}

interface ModelBarProps {
  readonly title: string;
  readonly kind: 'floor' | 'unpruned' | 'pruned' | 'hidden';
  /** of the longest bar */
  readonly share: number;
  readonly value: string;
  /** measured in this browser */
  readonly measuredHere?: { readonly share: number; readonly value: string } | null;
}

/** The length of a bar that hides its value, as a share of the longest bar. */
const HIDDEN_SHARE = 0.6;

const FILLS = {
  floor: 'border-y border-e border-quiet',
  unpruned: 'bg-values',
  pruned: 'bg-accent',
  hidden: 'border-y border-e border-dashed border-quiet',
} as const;

function ModelBar({ title, kind, share, value, measuredHere = null }: ModelBarProps) {
  return (
    <li className="grid grid-cols-[11rem_minmax(0,1fr)_7rem] max-sm:grid-cols-[7.5rem_minmax(0,1fr)_6.5rem] items-center gap-3 max-sm:gap-2 min-h-6">
      <span className="text-muted text-13 text-end">{title}</span>
      <span className="grid gap-0.5 border-l border-hairline">
        <i className={`h-4 min-w-px ${FILLS[kind]}`} style={{ inlineSize: `${100 * share}%` }} />
        {measuredHere && (
          <i
            className={`h-[0.3125rem] min-w-px opacity-60 ${FILLS[kind]}`}
            style={{ inlineSize: `${100 * measuredHere.share}%` }}
          />
        )}
      </span>
      <span className="number grid font-semibold leading-[1.3]">
        {value}
        {measuredHere && <span className="text-muted text-12 font-normal">here {measuredHere.value}</span>}
      </span>
    </li>
  );
}
