import type { BenchReport } from '../../../core/report.ts';
import { countText } from '../../../core/story/words.ts';
import { density as densityText, shape } from '../../../kit/words/quantity.ts';
import type { LiveState } from './live-times.ts';

/** Rounds completed by every kernel of a report. */
function roundsOf({ rows }: BenchReport): number {
  const timed = rows.filter(({ samplesNs }) => samplesNs.length > 0);
  return timed.reduce((few, { samplesNs }) => Math.min(few, samplesNs.length), Number.POSITIVE_INFINITY);
}

/** A one-line caption for the live times on the chart; null without any, and while switched off. */
export function liveWords({ on, waitingFor, shown }: LiveState): string | null {
  if (!on) return null;
  if (!shown) return 'Live: preparing the device, a few seconds the first time.';
  const { report, firstMs } = shown;
  const { workload } = report;
  const rounds = roundsOf(report);
  const formats = new Set(report.rows.filter((row) => row.vsDense !== null).map(({ format }) => format)).size;
  if (!Number.isFinite(rounds)) return `Live at density ${densityText(shown.request.density)}: nothing could be timed.`;
  const of = `generated ${shape(workload.rows, workload.cols)}, f16`;
  const spread = rounds > 1 ? `, whiskers p10 to p90` : '';
  const what = `${countText(formats)} ${formats === 1 ? 'format' : 'formats'}, ${rounds} ${rounds === 1 ? 'short round' : 'short rounds'}${spread}`;
  const more = waitingFor === null ? '' : ` · measuring ${densityText(waitingFor)} …`;
  return `Live at density ${densityText(shown.request.density)}: ${what} · ${of} · first times after ${Math.round(firstMs)} ms${more}`;
}

/**
 * The formats that could not be timed, with reasons, and notes on those that were, in sentences; null if there are
 * none. `isShown`: whether the table already says so of a format.
 */
export function liveRemarks(
  { on, shown }: LiveState,
  titleOf: (format: string) => string,
  isShown: (format: string, density: number) => boolean,
): string | null {
  if (!on || !shown) return null;
  const { refused, rows, notes } = shown.report;
  const said = [
    ...refused
      .filter(({ format }) => !isShown(format, shown.request.density))
      .map(({ format, reason }) => `${titleOf(format)} (${reason})`),
    ...rows
      .filter(({ verified }) => !verified.ok)
      .map(({ format, kernel }) => `${titleOf(format)} (${kernel} does not match the reference)`),
  ];
  const sentences = [
    ...notes.filter((note) => note.endsWith('.')),
    ...(said.length > 0 ? [`Not timed: ${said.join('; ')}.`] : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}
