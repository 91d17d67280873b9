/* The answer of the page Measure as text: the times of the formats A and B; and the citation of this answer. */

import type { BenchReport } from '../../../core/report.ts';
import { isOnCpu, deviceAfterOn } from '../../../kit/devices/DeviceLabel.tsx';
import { matrixInText } from '../../../kit/words/answer-names.ts';
import {
  NOT_OF_A_GPU,
  ON_CPU,
  earlySpeedText,
  type Speed,
  speedMessage,
  isOfSimpleKernel,
  SIMPLE_KERNEL,
} from '../../../kit/words/speed-of.ts';
import { substituteOf } from '../../../kit/words/ran-instead.ts';
import type { DeviceStatus } from '../../../engine/device.ts';
import { dayText, type Device } from '../../../state/index.ts';
import { isSameMatrix } from '../../../kit/report/matrix-times.ts';
import type { MeasuredPair, MeasuredSide } from './use-measured.ts';
import { counted, say, strong, plainWords, type Words } from '../../../core/text/words.ts';
import { type AllTimes, amongOf } from './all-times.ts';
import { isMeaningful, type TimeBound } from '../../../kit/report/time-bound.ts';
import { secondTime, time } from '../../../kit/words/quantity.ts';
import { times } from '../../../kit/words/rates.ts';

/** A or B, the two compared formats, in the answer: its measured time or its lower bound. */
export interface SideTime {
  readonly name: string;
  /** measured, in ns */
  readonly ns: number | null;
  /** null if there is no bound */
  readonly bound: TimeBound | null;
  /** why the format cannot store the matrix, or was not timed, with or without a final full stop */
  readonly reason: string | null;
  readonly cannotStore: boolean;
  /** the time is of a simple kernel, which is not tuned */
  readonly isSimple: boolean;
}

/** The facts from which the answer of Measure is written. */
export interface AnswerFacts {
  readonly a: SideTime;
  readonly b: SideTime | null;
  /** name of the device, following 'On': 'NVIDIA H200', 'this GPU' */
  readonly device: string;
  /** measured, of A against B */
  readonly speed: Speed | null;
  /** bytes of B divided by bytes of A: not a bound, since either may be read below the full speed */
  readonly byBytes: number | null;
  /** other kernels of A or B are still to be tried in the run: the ratio will change */
  readonly isEarly: boolean;
  /** the times of A and B are from two runs */
  readonly areTwoRuns: boolean;
  /** the times are from another matrix, of the same shape and density */
  readonly isOtherMatrix: boolean;
  /** the matrix, as text */
  readonly matrix: string;
  readonly tokens: number;
  /** the feed-forward block that contains the matrix was timed */
  readonly isBlock: boolean;
  /** why the newest run ended before its first time, as text; null if it did not */
  readonly ended: string | null;
  /** a note after the times, on few rounds or on times of a CPU; '' for none */
  readonly caution: string;
  /** of a run of more formats: how many were timed, and the fastest; null for A and B alone */
  readonly among: { readonly formats: number; readonly fastest: string; readonly ns: number } | null;
}

/** The answer of Measure: the measured times and, separately, the ratio of their bytes. */
export function answerWords(facts: AnswerFacts): readonly Words[] {
  const { a, b, device, speed, byBytes } = facts;
  for (const side of b ? [a, b] : [a]) {
    if (side.cannotStore) return say`${side.name} cannot store ${facts.matrix}: ${withoutStop(side.reason ?? '')}.`;
  }
  const caution = facts.caution === '' ? '' : ` ${facts.caution}`;
  const matrix = facts.isOtherMatrix ? 'a random matrix of this size and density' : facts.matrix;
  const work = facts.isBlock
    ? `computes a feed-forward block with ${facts.isOtherMatrix ? 'activations like these' : 'these activations'}`
    : `multiplies ${matrix}${facts.tokens === 1 ? '' : ` with ${facts.tokens} tokens`}`;
  if (a.ns !== null && b === null) {
    return say`On ${device}, ${timedName(a)} ${work} in ${strong(time(a.ns))}.${caution}`;
  }
  if (a.ns !== null && b && b.ns !== null && speed !== null) {
    const where = facts.areTwoRuns ? ', in another run' : '';
    const both = `${time(a.ns)}, ${timedName(b)} in ${secondTime(b.ns, a.ns)}${where}: ${(facts.isEarly ? earlySpeedText : speedMessage)(speed)}`;
    const answer = say`On ${device}, ${timedName(a)} ${work} in ${strong(both)}.`;
    if (facts.among !== null) return [...answer, ...amongWords(facts.among), ...say`${caution}`];
    const bytes = byBytes === null ? '' : ` By its bytes alone it would be ${times(byBytes)} as fast.`;
    return [...answer, ...say`${bytes}${caution}`];
  }
  const [timed, other] = a.ns !== null ? [a, b] : [b, a];
  if (timed && timed.ns !== null && other) {
    const why = other.reason === null ? ' was not timed' : ` was not timed: ${withoutStop(other.reason)}`;
    return say`On ${device}, ${timedName(timed)} ${work} in ${strong(time(timed.ns))}; ${other.name}${why}.${caution}`;
  }
  return untimedWords(facts);
}

/** The second half of the answer after a run of many formats: ' Of 9 formats, bitmask is the fastest: 20.1 µs.' */
function amongWords({ formats, fastest, ns }: NonNullable<AnswerFacts['among']>): readonly Words[] {
  return say` Of ${counted(formats, 'format')}, ${strong(`${fastest} is the fastest: ${time(ns)}`)}.`;
}

/** The name of a format in the answer: 'ELL (one simple kernel)'. */
function timedName({ name, isSimple }: SideTime): string {
  return isSimple ? `${name} (${SIMPLE_KERNEL})` : name;
}

/** The answer without a time: a run's reason; before any run a lower bound, by bytes or an empty dispatch. */
function untimedWords({ a, b, device, byBytes, ended }: AnswerFacts): readonly Words[] {
  const texts = (b ? [a, b] : [a]).flatMap(({ name, reason }) =>
    reason === null ? [] : [say`${name}: ${strong(withoutStop(reason))}.`],
  );
  if (ended !== null) texts.push([{ text: ended }]);
  if (texts.length > 0) return texts.flatMap((message, i) => (i === 0 ? message : [{ text: ' ' }, ...message]));
  const opening = `${b ? 'Neither was' : `${a.name} was not`} timed on ${device}`;
  if (a.bound === null) return say`${opening}.`;
  if (!isMeaningful(a.bound))
    return say`${opening}. Reading ${b ? `${a.name}’s` : 'its'} bytes takes less than 1\u202fµs.`;
  const { ns, cause } = a.bound;
  const atLeast = `at least ${time(ns)}`;
  if (b && cause === 'dispatch' && b.bound?.cause === 'dispatch') {
    return say`${opening}: both are too small to time, since starting any kernel takes ${strong(time(ns))}.`;
  }
  if (cause === 'dispatch')
    return say`${opening}: ${b ? a.name : 'it'} is too small to time, since starting any kernel takes ${strong(time(ns))}.`;
  if (!b) return say`${opening}. Reading alone takes ${strong(atLeast)}.`;
  if (b.bound?.cause !== 'bytes' || !isMeaningful(b.bound) || byBytes === null) {
    return say`${opening}. Reading alone takes ${strong(atLeast)} for ${a.name}.`;
  }
  const both = `${atLeast} for ${a.name}, ${secondTime(b.bound.ns, ns)} for ${b.name}`;
  return say`${opening}. Reading alone takes ${strong(both)}. By bytes alone, ${a.name} would be ${times(byBytes)} as fast.`;
}

function withoutStop(reason: string): string {
  return reason.replace(/\.$/, '');
}

/** The answer with its sources: the report, the device, the day, the address and, for a recording, the commit. */
export function citation(words: readonly Words[], report: BenchReport, deviceName: string, address: string): string {
  const { createdAt, app, recorded } = report;
  const from = recorded ? `recording ${recorded.id}, commit ${recorded.commit.slice(0, 7)}` : `report of ${createdAt}`;
  const answer = plainWords(words);
  return `${answer} SparseScope ${app}, ${from}, ${recorded?.name ?? deviceName}, ${dayText(recorded?.date ?? createdAt)}. ${address}`;
}

/** The number of rounds of an unfinished run so far, as text; '' for a finished run. */
function roundsSoFar({ timedRow }: MeasuredSide): string {
  if (!timedRow?.report.unfinished) return '';
  const { row, report } = timedRow;
  return `First ${Math.min(row.samplesNs.length, report.workload.rounds)} of ${report.workload.rounds} rounds.`;
}

/** The report of A's time, or else of B's. */
export function answerReport({ sides: [a, b] }: MeasuredPair): BenchReport | null {
  return (a.timedRow ?? b?.timedRow)?.report ?? null;
}

interface AnswerOptions {
  /** why the newest run ended early, if it did */
  readonly ended?: string | null;
  /** the times of a run of more formats than A and B */
  readonly all?: AllTimes | null;
  /** the matrix in the text; default: 'this matrix', or its name in a model */
  readonly matrixText?: string;
}

/** The answer of Measure for A and B on a device. */
export function measuredWords(
  measuredPair: MeasuredPair,
  device: Device,
  status: DeviceStatus | null,
  { ended = null, all = null, matrixText }: AnswerOptions = {},
): readonly Words[] {
  const { sides, matrix, speed, byBytes } = measuredPair;
  const [a, b = null] = sides;
  const onCpu = isOnCpu(device, status) || a.timedRow?.row.where === 'cpu';
  const timeOf = (side: MeasuredSide): SideTime => ({
    name: side.name,
    ns: side.timedRow?.row.medianNs ?? null,
    bound: side.bound,
    reason: side.rejection?.reason ?? side.runRejection,
    cannotStore: side.rejection !== null,
    isSimple: isOfSimpleKernel(side.format, side.timedRow?.row),
  });
  const report = answerReport(measuredPair);
  return answerWords({
    a: timeOf(a),
    b: b && timeOf(b),
    device: onCpu ? ON_CPU : device.recorded ? device.name : deviceAfterOn(device, status),
    speed,
    byBytes,
    isEarly: report !== null && substituteOf(report) === null && sides.some(({ timedRow }) => timedRow?.row.searching),
    areTwoRuns: a.timedRow !== null && b?.timedRow != null && a.timedRow.report !== b.timedRow.report,
    // A model that is not shipped has random weights anyway: another random matrix needs no mention.
    isOtherMatrix:
      report !== null &&
      !isSameMatrix(report.workload, matrix) &&
      (measuredPair.summary.location === undefined || measuredPair.summary.location.isShipped === true),
    matrix: matrixText ?? matrixInText(measuredPair.summary.source, measuredPair.summary.location),
    tokens: matrix.tokens,
    isBlock: matrix.isBlock ?? false,
    ended,
    among: all && all.report.unfinished === undefined ? amongOf(all) : null,
    caution: `${roundsSoFar(a)} ${report ? (ended ?? '') : ''} ${onCpu && report ? NOT_OF_A_GPU : ''}`
      .trim()
      .replace('  ', ' '),
  });
}
