import { dayText, adapterName, type BenchRun, REFERENCE_FORMAT } from '../../../state/index.ts';
import { countText } from '../../../core/text/words.ts';
import { Fragment } from 'react';
import { largest, smallest } from '../../../core/number/statistics.ts';
import {
  ARITHMETIC_WORDS,
  ARITHMETICS,
  type BenchReport,
  type BenchRow,
  type Environment,
  PEAK_FIELDS,
  type RecordingMark,
  type TunedChoices,
  type Verification,
} from '../../../core/report.ts';
import { storedKey } from '../../../core/format.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';
import { percent, ratio, time } from '../../../kit/words/quantity.ts';
import { Details } from './KernelTable.tsx';
import { formulaOf, sizeLabel } from '../../../kit/report/operation-words.ts';
import { isUntimedSoftware, rowDifferences, sortedRows } from '../../../kit/report/report-view.ts';
import { useParamLabels, useTitleOf } from '../../../kit/report/report-labels.ts';
import { Section } from '../../../kit/controls/Section.tsx';
import { substituteOf, withSubstitute } from '../../../kit/words/ran-instead.ts';
import { bandwidth, perSecond } from '../../../kit/words/rates.ts';
import type { bench } from '../../../engine/bench-service.ts';
import { TextButton } from '../../../kit/controls/Button.tsx';

/** The details section 'how it was verified': the device, the procedure and the accuracy of the current report. */
export function BenchFacts({ run, report }: { readonly run: BenchRun | null; readonly report: BenchReport | null }) {
  const device = useSession((s) => s.device);
  const environment = report?.environment ?? (device?.kind === 'ready' ? device.environment : null);
  return (
    <>
      <p className="text-muted mb-4 max-w-[48rem]">
        Results are compared with sums in f64 before, during and after timing. A wrong kernel is not timed.
      </p>
      <Section title={report ? 'Where this ran' : 'This device'}>
        {environment ? (
          <Facts facts={environmentFacts(environment, report)} />
        ) : (
          <p className="text-quiet">{device?.kind === 'unavailable' ? device.reason : 'Detecting the device …'}</p>
        )}
      </Section>
      {report && (
        <>
          <Section title="What was done">
            <Facts facts={procedureFacts(report)} />
          </Section>
          <TunedNumbers report={report} isImported={run?.origin === 'imported'} />
        </>
      )}
    </>
  );
}

/** A line of a list of facts; a fact without a text is omitted. */
type Fact = readonly [name: string, text: string | null | undefined];

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(
        ([name, text]) =>
          text != null && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

/** The device, its runtime and its peaks. */
function environmentFacts(environment: Environment, report: BenchReport | null): readonly Fact[] {
  const { min, max } = environment.subgroupSize;
  const { clock, readBandwidthGBps: readGBps = null, nullDispatchNs: dispatchNs = null } = report ?? {};
  // Figures that are not from a graphics card have a label: 'software' or 'CPU'.
  const substitute = report && substituteOf(report);
  const runs = report?.rows.map((row) => row.runsPerSample).filter((n) => n > 0) ?? [];
  const timingClock = report && !isUntimedSoftware(report) ? clock : undefined;
  return [
    ...(report?.recorded ? recordedFacts(report.recorded, report.imported === true) : []),
    ['adapter', adapterName(environment)],
    ['kind', environment.isFallback ? 'software' : null],
    ['runtime', environment.runtime],
    ['subgroups', max === 0 ? 'none' : min === max ? String(min) : `${min} to ${max}`],
    ['read speed', readGBps === null ? null : withSubstitute(bandwidth(readGBps), substitute)],
    ...ARITHMETICS.map((arithmetic): Fact => {
      const peak = report?.[PEAK_FIELDS[arithmetic]];
      return [
        `arithmetic in ${ARITHMETIC_WORDS[arithmetic]}`,
        peak === undefined ? null : withSubstitute(perSecond(peak, 'FMA'), substitute),
      ];
    }),
    ['clock', timingClock && (timingClock.source === 'timestamp-query' ? 'GPU timestamps' : 'wall clock')],
    ['clock step', timingClock && time(timingClock.quantumNs)],
    ['runs per sample', clock && runs.length > 0 ? runsText(runs, clock.quantumNs) : null],
    ['empty dispatch', dispatchNs === null ? null : withSubstitute(time(dispatchNs), substitute)],
  ];
}

/** '200 → ±0.33 µs': runs per reading of the clock, and the resulting uncertainty of one run. */
function runsText(runs: readonly number[], quantumNs: number): string {
  const min = smallest(runs);
  const max = largest(runs);
  const range = min === max ? countText(min) : `${countText(min)} to ${countText(max)}`;
  return `${range} → ±${time(quantumNs / min)}`;
}

function recordedFacts({ name, date, driver, commit }: RecordingMark, isImported: boolean): readonly Fact[] {
  return [
    [isImported ? 'imported, device named in the file' : 'recorded on', name],
    ['on', dayText(date)],
    ['driver', driver],
    ['commit', commit],
  ];
}

/** What was run, how it was verified and, if it was timed, in how many rounds. */
function procedureFacts(report: BenchReport): readonly Fact[] {
  const { rows, workload } = report;
  const correctRows = rows.filter((row) => row.verified.ok);
  const worstShare = largest(correctRows.map((row) => row.verified.worstShare));
  const timedRows = rows.filter((row) => row.medianNs !== null);
  const verified = rows.at(0)?.verified;
  return [
    ['operation', formulaOf(workload.operation)],
    ...Object.entries(workload.sizes ?? {}).map(([name, size]): Fact => [
      sizeLabel(workload.operation, name),
      countText(size),
    ]),
    ['outputs', verified && outputsText(verified)],
    ['verified against f64', `${correctRows.length} of ${rows.length}`],
    ['largest error', correctRows.length > 0 ? `${percent(worstShare)} of its bound` : null],
    ...(timedRows.length > 0 ? timedFacts(report, timedRows) : []),
    ['refused', report.refused.length > 0 ? String(report.refused.length) : null],
    ['inputs and order', `seed ${workload.seed}`],
    ['measured', report.createdAt.slice(0, 16).replace('T', ' ')],
    ['by', report.app],
  ];
}

function timedFacts({ workload, recorded }: BenchReport, timedRows: readonly BenchRow[]): readonly Fact[] {
  const verifiedAgain = timedRows.filter((row) => row.verified.checkedAfterTiming).length;
  const copies = largest([0, ...timedRows.map((row) => row.copies)]);
  const samplesVerified = timedRows.reduce((sum, row) => sum + (row.verified.checkedWhileTimed ?? 0), 0);
  return [
    ['rounds, order shuffled', recorded ? `up to ${workload.rounds}` : roundsText(timedRows)],
    ['alternating copies', workload.memory === 'cold' ? `up to ${copies}` : 'one'],
    ['samples verified', samplesVerified > 0 ? countText(samplesVerified) : null],
    ['verified again', `${verifiedAgain} of ${timedRows.length}`],
  ];
}

/** '30, dense in 54': kernels that join later are timed in further rounds, again with dense */
function roundsText(timedRows: readonly BenchRow[]): string {
  const maxRounds = (rows: readonly BenchRow[]): number => largest([0, ...rows.map((row) => row.samplesNs.length)]);
  const denseRounds = maxRounds(timedRows.filter(({ format }) => format === REFERENCE_FORMAT));
  const otherRounds = maxRounds(timedRows.filter(({ format }) => format !== REFERENCE_FORMAT));
  if (otherRounds === 0) return String(denseRounds);
  return denseRounds > otherRounds ? `${otherRounds}, dense in ${denseRounds}` : String(otherRounds);
}

/** '1 048 576, 65 536 of them compared' */
function outputsText({ outputs, compared }: Verification): string {
  return compared === undefined ? countText(outputs) : `${countText(outputs)}, ${countText(compared)} of them compared`;
}

interface TunedNumbersProps {
  readonly report: BenchReport;
  /** imported, so there is nothing to forget here */
  readonly isImported: boolean;
}

/** Kernel parameters found by trial, their gain, and a button to forget them. */
export function TunedNumbers({ report, isImported }: TunedNumbersProps) {
  const { engine, session, announce } = useApp();
  const titleOf = useTitleOf();
  const labelsOf = useParamLabels(report);
  const tunedRows = sortedRows(report).flatMap((row) => (row.tuned ? [{ row, tuned: row.tuned }] : []));
  if (tunedRows.length === 0) return null;
  const detailOf = rowDifferences(report.rows, labelsOf);
  const forget = async (): Promise<void> => {
    try {
      await engine.service<typeof bench>('bench').forgetTuning({});
      announce('Forgotten: the next run searches again.');
    } catch (error) {
      session.fail(error, 'Forgetting the trials');
    }
  };
  return (
    <Section
      title="Found by trial"
      action={!isImported && <TextButton onClick={() => void forget()}>forget</TextButton>}
    >
      <dl className="facts">
        {tunedRows.map(({ row, tuned }) => (
          <Fragment key={storedKey(row.kernel, row.params)}>
            <dt title={row.kernel}>
              {titleOf(row.format)}
              <Details lines={[detailOf(row)]} />
            </dt>
            <dd title={tuned.remembered ? 'from an earlier run' : `${tuned.tried} settings tried`}>
              {tunedText(tuned)}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Section>
  );
}

/** 'shares 4 224, lanes 512: 1.04× the speed' */
export function tunedText({ chosen, start, gain }: TunedChoices): string {
  const numbers = Object.entries(chosen)
    .map(([name, value]) => `${name} ${countText(value)}`)
    .join(', ');
  const isUnchanged = Object.entries(chosen).every(([name, value]) => value === start[name]);
  return isUnchanged ? `${numbers}, as before` : `${numbers}: ${ratio(gain)} the speed`;
}
