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
export function untimedText({ rows, refused: rejected, deviceName: on }: TriedKernels): string | null {
  if (rows.some(({ verified }) => verified.ok)) return null;
  // A rejection without a kernel is of the whole format.
  const formatRejection = rejected.find(({ kernel }) => kernel === '');
  if (rows.length === 0 && formatRejection) return formatRejection.reason;
  const others = rejected.filter(({ kernel }) => kernel !== '');
  const tried = rows.length + others.length;
  if (tried === 0) return null;
  const reasons = [...new Set(others.map(({ reason }) => reason.replace(/\.$/, '')))];
  const more = reasons.length > 1 ? `, and ${counted(reasons.length - 1, 'other reason')}` : '';
  const why = `${reasons[0] ?? ''}${more}`;
  if (rows.length === 0) return tried === 1 ? why : `none of ${tried} kernels can run on ${on}: ${why}`;
  if (tried === 1) return `${rows[0].kernel} computed wrong results on ${on}; it is not timed`;
  const wrong = `${rows.length} of ${tried} kernels computed wrong results on ${on}`;
  if (others.length === 0) return `${wrong}; none is timed`;
  return `${wrong}, and ${counted(others.length, 'other')} cannot run: ${why}; none is timed`;
}

/** The device of a report, as it follows 'on': 'this GPU', 'the CPU', 'NVIDIA H200'. */
export function deviceOfReport({ recorded, imported, environment, rows }: BenchReport): string {
  if (recorded) return recorded.name;
  if (imported) return adapterName(environment);
  return rows.some(({ where }) => where === 'cpu') ? 'the CPU' : 'this GPU';
}

/** What a run shows instead of a time: how it broke off, or why nothing was timed. Null if it has a time. */
export function runEndText(ended: RunEnd | null, runs: readonly BenchRun[]): string | null {
  if (ended === null) return null;
  const reports = runs.find(({ id }) => id === ended.run)?.reports ?? [];
  const tried = {
    rows: reports.flatMap(({ rows }) => rows),
    refused: reports.flatMap(({ refused: rejected }) => rejected),
    deviceName: reports[0] === undefined ? '' : deviceOfReport(reports[0]),
  };
  if (tried.rows.some(({ medianNs }) => medianNs !== null)) return ended.message;
  const untimed = untimedText(tried);
  const parts = [untimed === null ? null : `${untimed[0].toUpperCase()}${untimed.slice(1)}.`, ended.message];
  const text = parts.filter((part) => part !== null).join(' ');
  return text === '' ? null : text;
}

/** Whether a run is of a larger matrix, which repeats the open one. */
export function isRepeated({ workload }: BenchRequest): boolean {
  return workload.kind === 'stage' && workload.repeatedTo !== undefined;
}

/** Whether the newest run tried one of these formats on exactly this matrix, so that what it found is the answer. */
export function isAnsweredBy(
  ended: RunEnd | null,
  generation: number | undefined,
  formats: readonly string[],
): boolean {
  return (
    ended !== null &&
    ended.generation === generation &&
    !isRepeated(ended.request) &&
    ended.request.entries.some(({ format }) => formats.includes(format))
  );
}
