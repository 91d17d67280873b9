import { type BenchReport, type BenchRow, ARITHMETIC_WORDS } from '../../core/report.ts';
import { QUANTISE } from '../../core/operations/index.ts';
import type { Words } from '../../core/text/words.ts';
import { capitalised, say, strong } from '../../core/text/words.ts';
import { adapterName } from '../../state/index.ts';
import { percent } from '../words/quantity.ts';
import { times } from '../words/rates.ts';
import { NOT_OF_A_GPU, ON_CPU, singleRatio, speedOf, speedMessage } from '../words/speed-of.ts';
import { softwareText } from '../words/ran-instead.ts';
import {
  arithmeticOf,
  isReference,
  isUntimedSoftware,
  nearestLimit,
  referenceOf,
  sortedRows,
  speedIn,
  type TitleOf,
} from './report-view.ts';

/** The end of texts about times that the clock cannot measure. */
const TOO_SHORT = 'shorter than the clock’s step.';

/** The result of a report, in one or two sentences to quote. */
export function reportHeadline(report: BenchReport, titleOf: TitleOf): readonly Words[] {
  const wrongRows = report.rows.filter((row) => !row.verified.ok);
  const correctCount = report.rows.length - wrongRows.length;
  const wrongKernels = wrongRows.length === 1 ? 'One kernel is' : `${wrongRows.length} kernels are`;
  const wrongText = wrongRows.length === 0 ? [] : say` ${wrongKernels} wrong and not timed.`;
  if (report.rows.length === 0) return say`No kernel ran: all were rejected.`;
  if (report.environment.isFallback) {
    // The ratios of a software adapter are only in the table.
    const timedText = isUntimedSoftware(report) ? '.' : ` and timed. ${softwareText(report.environment)}`;
    const verifiedText = strong(`${correctCount} of ${report.rows.length} kernels verified`);
    return [...say`Software adapter: ${verifiedText}${timedText}`, ...wrongText];
  }
  const bestRow = sortedRows(report).find((row) => row.verified.ok && speedOf(row) && !isReference(row));
  const storedSpeed = bestRow && speedOf(bestRow); // as stored in the row, with the value type of dense
  const speed = bestRow && speedIn(report, bestRow);
  const zeroTimeCount = report.rows.filter(({ medianNs }) => medianNs === 0).length;
  if (!speed || !storedSpeed) {
    if (zeroTimeCount > 0) return [...say`The times are ${TOO_SHORT}`, ...wrongText];
    // A round of 0 ns has no ratio, so that nothing is compared with it.
    if (report.rows.some(({ samplesNs }) => samplesNs.includes(0)))
      return [...say`Some times are ${TOO_SHORT}`, ...wrongText];
    const fastest = sortedRows(report).find((row) => row.medianNs !== null);
    const text = fastest ? `${capitalised(titleOf(fastest.format))} ran alone, without dense.` : 'No kernel was timed.';
    return [...say`${text}`, ...wrongText];
  }
  const ratio = singleRatio(speed);
  // Set if dense has another value type than the row: both types are named then.
  const inType = (valueType: unknown): string =>
    storedSpeed.valueType === undefined ? '' : ` in ${String(valueType)}`;
  const name = bestRow.draft ? `your draft ${bestRow.draft.name}` : titleOf(bestRow.format);
  const title = `${name}${inType(bestRow.params.valueType)}`;
  const inDenseType = inType(storedSpeed.valueType);
  if (report.workload.operation === QUANTISE.id && ratio !== null) {
    const slowdown = strong(times(1 / ratio));
    // Lifted: an activation is repeated for each of the overlapping windows (2:4) that read it.
    const words = say`Quantising for ${title} takes ${slowdown} as long as for dense here: activations are lifted on the way.`;
    return [...words, ...wrongText];
  }
  const onCpu = bestRow.where === 'cpu';
  const origin = onCpu ? '' : originText(report);
  const nothingTimed = zeroTimeCount > 0 ? 'nothing that the clock could time' : 'nothing';
  const closest = strong(`${title} comes closest, at ${times(ratio ?? 1)}`);
  const comparison =
    (ratio ?? 1) >= 1
      ? say`${title} is ${strong(times(ratio ?? 1))} as fast as dense${inDenseType}${origin}.`
      : say`${nothingTimed} is faster than dense${inDenseType}${origin}: ${closest} its speed.`;
  // null: the rounds are too noisy for a single ratio
  const headline =
    ratio === null ? say`${title} and dense${inDenseType}${origin} are ${strong(speedMessage(speed))}.` : comparison;
  const verdict: readonly Words[] = onCpu
    ? [...say`On ${ON_CPU}, `, ...headline, ...say` ${NOT_OF_A_GPU}`]
    : [{ text: capitalised(headline[0].text) }, ...headline.slice(1)];
  const shortTimes = zeroTimeCount === 1 ? 'One time is' : `${zeroTimeCount} times are`;
  const tooShortText = zeroTimeCount === 0 ? [] : say` ${shortTimes} ${TOO_SHORT}`;
  return [...verdict, { text: bytesText(report, bestRow) }, ...tooShortText, ...wrongText];
}

/** Where a report's times are from, to follow a verdict: ' here', ' on NVIDIA H200, recorded'. */
function originText({ recorded, imported, environment }: BenchReport): string {
  if (imported) return ` on ${recorded?.name ?? adapterName(environment)}, imported`;
  return recorded ? ` on ${recorded.name}, recorded` : ' here';
}

/** A text about a row's bytes or multiply-adds and how near it is to its limit; '' without a reference. */
function bytesText(report: BenchReport, row: BenchRow): string {
  const reference = referenceOf(report, row);
  if (!reference || reference.bytes === 0) return '';
  const readPart = `It reads ${percent(row.bytes / reference.bytes, 0)} of the bytes`;
  const limit = nearestLimit(report, row);
  if (limit === null) return ` ${readPart}.`;
  if (limit.of === 'arithmetic') {
    const speed = `at ${percent(limit.share, 0)} of the device’s speed in ${ARITHMETIC_WORDS[arithmeticOf(row)]}`;
    if (row.multiplyAdds === undefined || !reference.multiplyAdds) return ` It multiplies and adds ${speed}.`;
    return ` It does ${percent(row.multiplyAdds / reference.multiplyAdds, 0)} of the multiply-adds, ${speed}.`;
  }
  if (row.cached) return ` ${readPart}, from a cache.`;
  return ` ${readPart} and reaches ${percent(limit.share, 0)} of the device’s memory speed.`;
}
