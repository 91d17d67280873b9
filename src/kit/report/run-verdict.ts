import type { BenchReport, BenchRow, Rejection } from '../../core/report.ts';
import { counted } from '../../core/text/words.ts';
import type { BenchRequest } from '../../engine/bench/bench-types.ts';
import { type BenchRun, type RunEnd, adapterName } from '../../state/index.ts';

// The texts for a run that ended without a time.

/** The kernels that a run tried, and those that it could not run. */
interface TriedKernels {
  readonly rows: readonly Pick<BenchRow, 'kernel' | 'verified'>[];
  readonly refused: readonly Pick<Rejection, 'kernel' | 'reason'>[];
  /** the device, as it follows 'on' */
  readonly deviceName: string;
}

/**
 * Why none of these kernels has a time, as a clause: how many computed wrong results, and why others did not run. Null if
 * the result of one was right, or none was tried.
 */
export function untimedText({ rows, refused: rejections, deviceName: device }: TriedKernels): string | null {
  if (rows.some(({ verified }) => verified.ok)) return null;
  // A rejection without a kernel is of the whole format.
  const formatRejection = rejections.find(({ kernel }) => kernel === '');
  if (rows.length === 0 && formatRejection) return formatRejection.reason;
  const kernelRejections = rejections.filter(({ kernel }) => kernel !== '');
  const triedCount = rows.length + kernelRejections.length;
  if (triedCount === 0) return null;
  const reasons = [...new Set(kernelRejections.map(({ reason }) => reason.replace(/\.$/, '')))];
  const otherReasons = reasons.length > 1 ? `, and ${counted(reasons.length - 1, 'other reason')}` : '';
  const reasonText = `${reasons[0] ?? ''}${otherReasons}`;
  if (rows.length === 0)
    return triedCount === 1 ? reasonText : `none of ${triedCount} kernels can run on ${device}: ${reasonText}`;
  if (triedCount === 1) return `${rows[0].kernel} computed wrong results on ${device}; it is not timed`;
  const wrongPart = `${rows.length} of ${triedCount} kernels computed wrong results on ${device}`;
  if (kernelRejections.length === 0) return `${wrongPart}; none is timed`;
  return `${wrongPart}, and ${counted(kernelRejections.length, 'other')} cannot run: ${reasonText}; none is timed`;
}

/** The device of a report, as it follows 'on': 'this GPU', 'the CPU', 'NVIDIA H200'. */
export function deviceOfReport({ recorded, imported, environment, rows }: BenchReport): string {
  if (recorded) return recorded.name;
  if (imported) return adapterName(environment);
  return rows.some(({ where }) => where === 'cpu') ? 'the CPU' : 'this GPU';
}

/** What a run shows instead of a time: why nothing was timed, and how it ended. Null if there is nothing to show. */
export function runEndText(runEnd: RunEnd | null, runs: readonly BenchRun[]): string | null {
  if (runEnd === null) return null;
  const reports = runs.find(({ id }) => id === runEnd.run)?.reports ?? [];
  const triedKernels = {
    rows: reports.flatMap(({ rows }) => rows),
    refused: reports.flatMap(({ refused: rejections }) => rejections),
    deviceName: reports[0] === undefined ? '' : deviceOfReport(reports[0]),
  };
  if (triedKernels.rows.some(({ medianNs }) => medianNs !== null)) return runEnd.message;
  const untimed = untimedText(triedKernels);
  const parts = [untimed === null ? null : `${untimed[0].toUpperCase()}${untimed.slice(1)}.`, runEnd.message];
  const text = parts.filter((part) => part !== null).join(' ');
  return text === '' ? null : text;
}

/** Whether a run is of a larger matrix, which repeats the open one. */
export function isRepeated({ workload }: BenchRequest): boolean {
  return workload.kind === 'stage' && workload.repeatedTo !== undefined;
}

/** Whether the newest run tried one of these formats on exactly this matrix, so that what it found is the answer. */
export function isAnsweredBy(
  runEnd: RunEnd | null,
  generation: number | undefined,
  formats: readonly string[],
): boolean {
  return (
    runEnd !== null &&
    runEnd.generation === generation &&
    !isRepeated(runEnd.request) &&
    runEnd.request.entries.some(({ format }) => formats.includes(format))
  );
}
